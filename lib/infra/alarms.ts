import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { acknowledgeAlarmTopic } from './acknowledgements.ts';
import type { Observed } from './observed.ts';

interface AlarmPlan {
  /** What the users of the service feel. */
  readonly felt: string;
  /** What the operator does about it. */
  readonly advice: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many periods in a row. @default 1 */
  readonly periods?: number;
}

const period = Duration.minutes(5);

/** Alarms whose texts say what an alarm means for a user, and what to do. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #topic: Topic | undefined;

  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id);
    const { alarmEmail, mailFrom } = observed.settings;
    if (alarmEmail !== undefined) {
      this.#topic = new Topic(this, 'Topic', { enforceSSL: true });
      this.#topic.addSubscription(new EmailSubscription(alarmEmail));
      acknowledgeAlarmTopic(this.#topic);
    }
    this.#watchRequests(observed);
    this.#watchTable(observed);
    for (const [name, fn] of observed.streamed) {
      this.#add(`${name}Failing`, {
        felt: `Callers of ${name} get errors.`,
        advice: 'Read the newest error lines of the function on the dashboard; they name the cause.',
        metric: urlMetric('Url5xxCount', fn.functionName),
        threshold: 5,
      });
    }
    this.#watchStarted(observed);
    if (mailFrom !== undefined) {
      this.#add('MailBouncing', {
        felt: 'Mails about form responses come back; above 5 % SES stops all mail of the account.',
        advice: 'Look up the addresses in the bounce messages and correct the recipients of the forms that name them.',
        metric: new Metric({ namespace: 'AWS/SES', metricName: 'Reputation.BounceRate', period: Duration.hours(1) }),
        threshold: 0.04,
      });
    }
  }

  #watchRequests({ apiId }: Observed): void {
    const api = (metricName: string, statistic: string) =>
      new Metric({ namespace: 'AWS/ApiGateway', metricName, statistic, period, dimensionsMap: { ApiId: apiId } });
    this.#add('RequestsFailing', {
      felt: 'Websites, kiosks and forms get 500 or 503 instead of an answer.',
      advice:
        'Read the newest error lines on the dashboard. After a deployment: deploy the version before it. With "unavailable": look at the throttles of the table and at the AWS Health Dashboard.',
      metric: api('5xx', 'Sum'),
      threshold: 5,
    });
    this.#add('RequestsSlow', {
      felt: 'One request in a hundred takes longer than 3 seconds: pages load slowly.',
      advice:
        'See on the dashboard whether the functions or the table are slow, and which route: the request log has both.',
      metric: api('Latency', 'p99'),
      threshold: 3_000,
      periods: 3,
    });
    this.#add('FunctionsRefused', {
      felt: 'Lambda starts no more functions at once in this account: some requests get 429 or 503.',
      advice:
        'Ask AWS for a higher quota of concurrent executions, and see which function of the account uses them up.',
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', period }),
      threshold: 1,
      periods: 2,
    });
  }

  #watchTable({ tableName }: Observed): void {
    const table = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        statistic: 'Sum',
        period,
        dimensionsMap: { TableName: tableName },
      });
    for (const kind of ['Read', 'Write']) {
      this.#add(`Table${kind}sThrottled`, {
        felt: `The table refuses ${kind.toLowerCase()}s: requests are slow, and some get 503.`,
        advice:
          'A burst passes by itself within minutes. If it stays, one workspace is used above what one partition carries: find it in the request log by workspaceId.',
        metric: table(`${kind}ThrottleEvents`),
        threshold: 50,
        periods: 2,
      });
    }
  }

  #watchStarted({ started }: Observed): void {
    for (const { name, fn, deadLetters, givenUp } of started) {
      this.#add(`${name}Failing`, {
        felt: `${name} breaks off: mails or clean-ups wait until it runs through again.`,
        advice: 'Read the newest error lines of the function on the dashboard; they name the cause.',
        metric: fn.metricErrors({ period }),
        threshold: 3,
      });
      this.#add(`${name}GaveUp`, {
        felt: `${name} has given something up: somebody waits for a mail, or a file stays where it should not.`,
        advice: 'Its error lines on the dashboard say what and why; lib/infra/README.md says how to run it again.',
        metric: givenUp,
        threshold: 1,
      });
      if (!deadLetters) continue;
      this.#add(`${name}Late`, {
        felt: `${name} is more than 15 minutes behind: mails come late.`,
        advice:
          'Read the newest error lines of the function on the dashboard, and whether SES or the table refuses calls.',
        metric: fn.metric('IteratorAge', { statistic: 'Maximum', period }),
        threshold: Duration.minutes(15).toMilliseconds(),
      });
      this.#add(`${name}DeadLetters`, {
        felt: `${name} could not take some changes at all; the sweep tries them again, so that mails come late, not never.`,
        advice: 'See lib/infra/README.md: dead letters.',
        metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period }),
        threshold: 1,
      });
    }
  }

  #add(id: string, { felt, advice, metric, threshold, periods = 1 }: AlarmPlan): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${felt} ${advice}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.#topic) alarm.addAlarmAction(new SnsAction(this.#topic));
    this.all.push(alarm);
  }
}

const urlMetric = (metricName: string, FunctionName: string): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', period, dimensionsMap: { FunctionName } });
