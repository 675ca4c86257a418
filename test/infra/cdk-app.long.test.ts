import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the CLI as a new user does: without credentials, a region or a profile. */
function cdk(...options: string[]) {
  const output = mkdtempSync(join(tmpdir(), 'cdk-app-test-'));
  const foreign = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK|NODE)_/.test(name));
  const { status, stderr } = spawnSync('node_modules/.bin/cdk', ['synth', '--quiet', '--output', output, ...options], {
    cwd: project,
    env: { ...Object.fromEntries(foreign), HOME: output },
    encoding: 'utf8',
  });
  const files = readdirSync(output);
  rmSync(output, { recursive: true });
  return { status, stderr, files };
}

describe('cdk synth', () => {
  it('makes the stack from the bundled functions', () => {
    const { status, stderr, files } = cdk('--context', 'stage=trial');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(files).toContain('WorkspaceApi-trial.template.json');
  });

  it('reports an invalid setting', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdk-app-test-'));
    writeFileSync(join(folder, 'prod.json'), '{"logRetentionDays":31}');
    const { status, stderr } = cdk('--context', `settings=${folder}`);
    rmSync(folder, { recursive: true });
    expect(status).toBe(1);
    expect(stderr).toContain('The setting logRetentionDays is 31; it must be one of 1, 3, 5, 7,');
  });
});
