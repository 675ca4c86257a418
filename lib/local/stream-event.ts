import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';

/** A change as Lambda's event source hands it to a function. */
export function lambdaRecord({ eventID, eventName, awsRegion, dynamodb = {} }: StreamRecord): DynamoDBRecord {
  const { ApproximateCreationDateTime: time, Keys, NewImage, SequenceNumber, SizeBytes } = dynamodb;
  return {
    eventID,
    eventName: eventName === 'INSERT' || eventName === 'MODIFY' ? eventName : 'REMOVE',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion,
    dynamodb: {
      ...(time && { ApproximateCreationDateTime: Math.floor(time.getTime() / 1_000) }),
      Keys: Keys as Attributes,
      ...(NewImage && { NewImage: NewImage as Attributes }),
      SequenceNumber,
      SizeBytes,
      StreamViewType: 'NEW_IMAGE',
    },
  };
}

type Attributes = Record<string, AttributeValue>;

/** What the event source's filter lets through: new items whose partition key starts so. */
export const isNewItem = ({ eventName, dynamodb }: StreamRecord, partitionKeyPrefix: string): boolean =>
  eventName === 'INSERT' && dynamodb?.Keys?.['pk']?.S?.startsWith(partitionKeyPrefix) === true;
