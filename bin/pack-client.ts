import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildClient } from '#lib/client-package/build-client.ts';

// Makes a package of the client, which other projects install as a file, and prints its path.

const folder = fileURLToPath(new URL('../.build/client', import.meta.url));
await buildClient(folder);
const file = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], { cwd: folder, encoding: 'utf8' });
console.log(`.build/${file.trim()}`);
