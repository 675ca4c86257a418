import { startTestEngine } from './dynamodb-engine.ts';

/** The used members of jest's configuration. */
interface Run {
  readonly maxWorkers: number;
  /** Set in a run of chosen files. */
  readonly testPathPatterns: { isSet(): boolean };
}

export default async function setUp({ maxWorkers, testPathPatterns }: Run): Promise<void> {
  await startTestEngine(maxWorkers, !testPathPatterns.isSet());
}
