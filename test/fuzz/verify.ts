import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WorkspaceClient } from '#lib/client/client.ts';
import type { OpenApiDocument } from '#lib/openapi/document.ts';
import { LocalService } from '#test/support/processes.ts';
import { run } from '#test/support/run.ts';
import { step, verifyWithPython } from '#test/support/verification.ts';
import { demoDocument } from './demo-document.ts';

// Runs schemathesis with all checks against the local run with the demo. It sends valid and invalid requests from
// /openapi.json and validates every answer.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const settings = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));
const hooks = fileURLToPath(new URL('./hooks.py', import.meta.url));
const deskKey = 'saffron-desk-key-0000000000';

/** The operations of each key of the demo, and their share of the time. */
const parts = [
  { key: 'saffron-editor-key-00000000', tags: ['CMS', 'Menu', 'Forms', 'About this API'], share: 0.7 },
  { key: deskKey, tags: ['Messaging'], share: 0.3 },
] as const;

process.exitCode = await verifyWithPython({
  tools: 'schemathesis',
  async verify(folder, programs) {
    const service = await step('start the service', () => LocalService.start());
    try {
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(await describedDemo(service.url)));
      for (const part of parts)
        await step(`fuzz ${part.tags.join(', ')}`, () => fuzz({ folder, programs, url: service.url }, part));
    } finally {
      await service.stop();
    }
  },
});

async function describedDemo(url: string): Promise<OpenApiDocument> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const desk = new WorkspaceClient({ baseUrl: url, apiKey: deskKey });
  const [file] = await desk.uploadAttachments([{ name: 'note.txt', data: new Blob(['A note of some length.']) }]);
  return demoDocument(document, file?.s3Key ?? '');
}

interface Run {
  readonly folder: string;
  readonly programs: string;
  readonly url: string;
}

/** @throws when a check has failed; the failures are on standard output */
async function fuzz({ folder, programs, url }: Run, { key, tags, share }: (typeof parts)[number]): Promise<void> {
  const budget = Math.ceil(seconds * share);
  await run(
    join(programs, 'schemathesis'),
    [
      '--config-file',
      settings,
      'run',
      join(folder, 'openapi.json'),
      '--url',
      url,
      '--no-color',
      '--checks',
      'all',
      '--max-time',
      String(budget),
      '--continue-on-failure',
      ...tags.flatMap((tag) => ['--include-tag', tag]),
      // Their bodies name stored records, which a schema cannot describe. The contract tests send them hostile bodies.
      '--exclude-path-regex',
      '^/api/v1/connect/(?:conversations|visitor-sessions)',
      ...(values.seed === undefined ? [] : ['--seed', values.seed]),
    ],
    // The program ends by itself. This limit is for a hanging one.
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        API_KEY: key,
        SCHEMATHESIS_HOOKS: hooks,
        PYTHONDONTWRITEBYTECODE: '1',
      },
      isShown: true,
      milliseconds: (budget + 600) * 1_000,
    },
  );
}
