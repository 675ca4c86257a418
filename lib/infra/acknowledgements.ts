import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

// Every finding of the rule packs that stays, with the reason why. Each is acknowledged where it arises, never for the
// whole stack, so that the rules keep watching over whatever is added.

export function acknowledgeRoute(route: IConstruct): void {
  Validations.of(route).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason:
      'Functions check the API key themselves, in the read that tells workspace and permissions; 404 is for everyone.',
  });
}

export function acknowledgeSynchronousFunction(lambda: IConstruct): void {
  Validations.of(lambda).acknowledge({
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'The function is only ever called synchronously: a failure is answered to the caller and never queued.',
  });
}

export function acknowledgeFunction(lambda: IConstruct): void {
  Validations.of(lambda).acknowledge({
    id: 'Serverless::Serverless-LambdaTracing',
    reason: 'Tracing needs permissions on all resources, and the request log tells the time and cost of every request.',
  });
}
