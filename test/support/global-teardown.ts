import { stopTestEngine } from './dynamodb-engine.ts';

export default async function tearDown(): Promise<void> {
  await stopTestEngine();
}
