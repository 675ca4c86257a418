import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

// `npm test`: the fast tests, with type check, lint and knip at the same time. `npm run test:long`: the long tests
// alone. Tests mostly wait for engines and clocks, so three processes run them on every two cores. Arguments go to jest.

const [mode, ...patterns] = process.argv.slice(2);
const isLong = mode === '--long';

// Jest accepts only 1 to 100 percent as a share of the cores, so it gets the number.
const workers = Math.ceil(1.5 * availableParallelism());
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  // An option must follow the patterns, because jest would read the arguments as more patterns.
  '--testPathIgnorePatterns',
  isLong ? '(?<![.]long)[.]test[.]ts$' : '[.]long[.]test[.]ts$',
  '--ci',
  `--maxWorkers=${workers}`,
  ...(isLong ? patterns : process.argv.slice(2)),
];

async function check(): Promise<boolean> {
  const checking = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [checking.stdout, checking.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      words += text;
    });
  }
  const [code] = await once(checking, 'close');
  // Reports a failure immediately, without waiting for the tests.
  if (code !== 0) process.stderr.write(`\n${words}\nType check or lint has failed.\n`);
  return code === 0;
}

async function test(): Promise<boolean> {
  const testing = spawn(process.execPath, jest, { stdio: 'inherit' });
  process.on('SIGTERM', () => testing.kill());
  const [code] = await once(testing, 'close');
  return code === 0;
}

const [isChecked, isTested] = await Promise.all([isLong || check(), test()]);
if (!isChecked) process.stderr.write('\nType check or lint has failed: see above.\n');
process.exitCode = isChecked && isTested ? 0 : 1;
