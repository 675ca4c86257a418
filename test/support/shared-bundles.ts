import type { Bundle } from '#lib/bundle/bundle-functions.ts';

/** The bundles of all functions, which the test run builds once: in a fresh clone, a build takes seconds of CPU. */
export async function sharedBundles(): Promise<readonly Bundle[]> {
  const answer = await fetch(`${process.env['RUN_SERVER']}/bundles`, { method: 'POST' });
  const { bundles, failure } = (await answer.json()) as { bundles?: readonly Bundle[]; failure?: string };
  if (!bundles) throw new Error(failure);
  return bundles;
}
