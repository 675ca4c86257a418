import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';

/** The operator's calls of AWS, sent to the emulator. */
export class DeployedStack {
  readonly #client: { readonly endpoint: string; readonly region: string; readonly credentials: Credentials };

  constructor(endpoint: string) {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    this.#client = { endpoint, region: 'us-east-1', credentials };
  }

  /** Verifies the sender's address in SES, as an operator does once. */
  async verifyAddress(EmailIdentity: string): Promise<void> {
    await new SESv2Client(this.#client).send(new CreateEmailIdentityCommand({ EmailIdentity }));
  }

  /** Sets a new value of a secret. @returns the id of the new version */
  async rotate(SecretId: string, SecretString: string): Promise<string> {
    const client = new SecretsManagerClient(this.#client);
    const { VersionId = '' } = await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    return VersionId;
  }

  /** Waits until a mail has failed and has a next attempt. @throws after five minutes */
  async postponedMail(TableName: string): Promise<void> {
    const client = new DynamoDBClient(this.#client);
    const scan = new ScanCommand({
      TableName,
      FilterExpression: 'begins_with(pk, :mail) AND contains(failure, :reason)',
      ExpressionAttributeValues: { ':mail': { S: 'DUE#mail#' }, ':reason': { S: 'not verified' } },
    });
    const patience = AbortSignal.timeout(300_000);
    for (;;) {
      const { Items = [] } = await client.send(scan);
      if (Items.length > 0) return;
      if (patience.aborted) throw new Error('No mail was tried and postponed within five minutes.');
      await delay(1_000);
    }
  }
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}
