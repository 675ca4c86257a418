import { startTestEngine } from './dynamodb-engine.ts';

export default async function setUp({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  await startTestEngine(maxWorkers);
}
