import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../schema.ts';

/**
 * Creates the table in an embedded engine. An existing table is left as it is. On AWS, CDK creates it. Expiry is off,
 * because DynamoDB Local reads the whole table every second to find expired items. With ten thousand items, that takes
 * most of its time. Readers treat expired items as absent anyway.
 */
export async function createTable(name: string): Promise<void> {
  const { partitionKey, sortKey } = tableSchema;
  const client = new DynamoDBClient({});
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [partitionKey, sortKey].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        // With a stream, writes to DynamoDB Local get slower and slower.
        StreamSpecification: { StreamEnabled: false },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}
