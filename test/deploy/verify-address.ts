import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';

/** Tells SES that the address is ours, as an operator does once for the sender. */
export async function verifyAddress(endpoint: string, EmailIdentity: string): Promise<void> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SESv2Client({ endpoint, region: 'us-east-1', credentials });
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity }));
}
