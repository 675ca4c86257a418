import { startTestEngine } from './dynamodb-engine.ts';

export default async function setUp(): Promise<void> {
  await startTestEngine();
}
