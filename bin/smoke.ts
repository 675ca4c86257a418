import { parseArgs } from 'node:util';
import { checkNames, smoke } from '#lib/infra/smoke.ts';

const usage = `Usage: npm run smoke -- --url BASE --key KEY [OPTIONS]
Asks a deployed service what differs between this machine and AWS, and prints what is wrong.
  --url BASE             the public address, such as the output ApiUrl
  --key KEY              an API key with cms:entry:read, and of a member with messaging:conversation:engage; without a right, its checks are skipped
  --website HOST         writes to the agent of this website's channel as a visitor, and reads its streamed reply; leaves a conversation
  --denied-table TABLE   tries a transaction that the credentials of the environment must be denied
  --profile NAME         the profile of these credentials
  --skip NAME            leaves a check out; may be given several times
Checks: ${checkNames.join(', ')}.
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
    website: { type: 'string' },
    'denied-table': { type: 'string' },
    profile: { type: 'string' },
    skip: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});
const { url, key, website, skip, profile, 'denied-table': deniedTable } = values;
if (values.help || url === '' || key === '') {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}
if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
const asked = { url: url.replace(/\/$/, ''), key, website, deniedTable };
const wrong = await smoke(asked, skip, (line) => console.log(line));
console.log(wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${checkNames.length} checks are wrong.`);
process.exitCode = wrong === 0 ? 0 : 1;
