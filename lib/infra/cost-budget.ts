import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

export interface CostBudgetProps {
  /** USD a month. */
  readonly limit: number;
  /** Gets a mail at four fifths of the limit, and when the forecast exceeds it. */
  readonly email: string;
}

/** Watches the cost of the account. AWS can split the cost by stack only by tags, which must be activated by hand. */
export class CostBudget extends CfnBudget {
  constructor(scope: Construct, id: string, { limit, email }: CostBudgetProps) {
    const mailAt = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    });
    super(scope, id, {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: limit, unit: 'USD' } },
      notificationsWithSubscribers: [mailAt('ACTUAL', 80), mailAt('FORECASTED', 100)],
    });
  }
}
