import { type Resource, resourcesOf, type Synthesis, targetOf } from './synthesize.ts';

type Conditions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A statement of a policy, with its ARNs in a readable form: `WorkspaceTable`, `WorkspaceBucket/*`. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly principals: readonly string[];
  readonly conditions: Conditions;
}

/** A call of AWS, as IAM evaluates it. */
export interface AwsCall {
  readonly action: string;
  readonly resource: string;
  /** The calling service or role; only for resource policies. */
  readonly principal?: string;
  /** The keys of the condition context: `{ 'dynamodb:LeadingKeys': ['KEY#1'] }`. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

/** The statements of a function's role. */
export function roleOf(synthesis: Synthesis, fn: Resource): Statement[] {
  const role = new Map(resourcesOf(synthesis, 'AWS::IAM::Role')).get(targetOf(fn.Properties['Role']));
  if (!role) throw new Error('The function has no role of this stack.');
  return statementsOfRole(role);
}

export function statementsOfRole(role: Resource): Statement[] {
  const others = Object.keys(role.Properties).filter(
    (name) => !['AssumeRolePolicyDocument', 'Policies'].includes(name),
  );
  if (others.length > 0) throw new Error(`The role has ${others} besides its own policy.`);
  const policies = role.Properties['Policies'] as { PolicyDocument: unknown }[];
  return policies.flatMap(({ PolicyDocument }) => statementsIn(PolicyDocument));
}

/** The statements of a policy document in a template. */
export function statementsIn(document: unknown): Statement[] {
  const { Statement: statements } = document as { Statement: Record<string, unknown>[] };
  return statements.map(({ Effect, Action, Resource, Principal, Condition }) => ({
    effect: Effect as Statement['effect'],
    actions: [Action].flat() as string[],
    resources: [Resource].flat().map(textOf),
    principals: Object.values(typeof Principal === 'object' ? (Principal as object) : [Principal])
      .flat()
      .map(String),
    conditions: (Condition ?? {}) as Conditions,
  }));
}

/** Evaluates a call as IAM does: a matching Deny wins, and without a matching Allow the call is denied. */
export function isAllowed(statements: readonly Statement[], call: AwsCall): boolean {
  const fitting = statements.filter((statement) => matchesCall(statement, call));
  return fitting.some(({ effect }) => effect === 'Allow') && fitting.every(({ effect }) => effect === 'Allow');
}

function matchesCall({ actions, resources, principals, conditions }: Statement, call: AwsCall): boolean {
  return (
    actions.some((action) => isLike(action, call.action)) &&
    resources.some((resource) => isLike(resource, call.resource)) &&
    (call.principal === undefined || principals.some((principal) => isLike(principal, call.principal ?? ''))) &&
    Object.entries(conditions).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) =>
        conditionHolds(operator, call.context?.[key], [wanted].flat().map(textOf)),
      ),
    )
  );
}

/** Without its key in the context, a condition holds only for `ForAllValues`, `Null` and `...IfExists`. */
function conditionHolds(
  operator: string,
  given: string | readonly string[] | undefined,
  wanted: readonly string[],
): boolean {
  if (operator === 'Null') return wanted.every((isAbsent) => isAbsent === String(given === undefined));
  const [fullName = '', set] = operator.split(':').reverse();
  const name = fullName.replace(/IfExists$/, '');
  if (given === undefined && name !== fullName) return true;
  const values = given === undefined ? [] : [given].flat();
  const compare = comparisons[name];
  if (!compare) throw new Error(`This test does not know the operator ${operator}.`);
  const isOneOf = (value: string) => wanted.some((pattern) => compare(pattern, value));
  return set === 'ForAllValues' ? values.every(isOneOf) : values.some(isOneOf);
}

/** `*` matches any text. */
const isLike = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(text);

const comparisons: Readonly<Record<string, (wanted: string, given: string) => boolean>> = {
  StringEquals: (wanted, given) => wanted === given,
  StringLike: isLike,
  Bool: (wanted, given) => wanted === given,
};

/** An ARN of a template in a readable form: `WorkspaceTable`, `WorkspaceBucket/workspaces/*`. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[kind, content]] = Object.entries(value as Record<string, unknown>) as [[string, unknown]];
  if (kind === 'Ref') return String(content);
  if (kind === 'Fn::GetAtt') {
    const [id, attribute] = content as [string, string];
    return attribute === 'Arn' ? id : `${id}.${attribute}`;
  }
  if (kind === 'Fn::Join') return (content as [string, unknown[]])[1].map(textOf).join((content as [string])[0]);
  throw new Error(`${JSON.stringify(value)} is no address.`);
}
