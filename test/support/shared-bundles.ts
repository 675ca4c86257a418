import type { Bundle } from '#lib/bundle/bundle-functions.ts';

/** The bundles of all functions, built once in a test run. In a fresh clone, a build takes seconds of CPU time. */
export async function sharedBundles(): Promise<readonly Bundle[]> {
  const answer = await fetch(`${process.env['RUN_SERVER']}/bundles`, { method: 'POST' });
  const { bundles, failure } = (await answer.json()) as { bundles?: readonly Bundle[]; failure?: string };
  if (!bundles) throw new Error(failure);
  return bundles;
}
