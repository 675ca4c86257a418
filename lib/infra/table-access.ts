import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Use } from '#lib/http/endpoint.ts';

/** The calls that lib/table makes for each use, and no others. A transaction needs the actions of its parts. */
const tableActions: { readonly [Name in Use]?: readonly string[] } = {
  'table:read': ['dynamodb:BatchGetItem', 'dynamodb:Query'],
  'table:update': ['dynamodb:UpdateItem'],
  'table:rewrite': ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
  'table:transact': ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
};

/** The statements that a declaration's `uses` stand for. */
export function accessFor(uses: readonly Use[], table: ITableV2): PolicyStatement[] {
  const actions = uses.flatMap((use) => {
    const needed = tableActions[use];
    if (!needed) throw new Error(`A function uses ${use}, for which the stack has nothing yet.`);
    return needed;
  });
  if (actions.length === 0) return [];
  return [new PolicyStatement({ actions: [...new Set(actions)].sort(), resources: [table.tableArn] })];
}
