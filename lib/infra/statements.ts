import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';

type Conditions = Readonly<Record<string, unknown>>;

/** No statement without actions or resources, which IAM would refuse. */
const statement =
  (effect: Effect) =>
  (actions: readonly string[], resources: readonly string[], conditions: Conditions = {}): PolicyStatement[] =>
    actions.length === 0 || resources.length === 0
      ? []
      : [new PolicyStatement({ effect, actions: [...actions], resources: [...resources], conditions })];

export const allow = statement(Effect.ALLOW);
export const deny = statement(Effect.DENY);
