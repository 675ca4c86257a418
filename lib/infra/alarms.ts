import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { backupAlarms } from './backup.ts';
import {
  type AlarmPlan,
  amongMany,
  type Monitored,
  maximum,
  period,
  routeMetric,
  shareOf,
  sum,
  tableMetric,
} from './monitored.ts';

const readErrors = 'Read the newest error lines of the function on the dashboard; they name the cause.';

/** Alarms, with texts that explain their effect on users and the remedy. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #topic: AlarmTopic | undefined;

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { alarmEmail, mail } = monitored.settings;
    if (alarmEmail !== undefined) this.#topic = new AlarmTopic(this, 'Topic', alarmEmail);
    this.#watchRequests(monitored);
    this.#watchCapacity(monitored);
    this.#watchTable(monitored);
    this.#watchOwnAddresses(monitored);
    for (const backgroundFunction of monitored.background) this.#watchBackground(backgroundFunction);
    if (mail) this.#watchMail();
    for (const [id, plan] of Object.entries(backupAlarms(monitored.backupVault))) this.#add(id, plan);
  }

  #watchRequests(monitored: Monitored): void {
    const requests = monitored.api.metric('Count', sum);
    this.#add('RequestsFailing', {
      impact: 'Websites, kiosks and forms get 500 or 503 instead of an answer.',
      advice:
        'Read the newest error lines on the dashboard. After a deployment: deploy the version before it. With "unavailable": look at the throttles of the table and at the AWS Health Dashboard.',
      metric: shareOf(monitored.api.metric('5xx', sum), requests, 3),
    });
    this.#add('RequestsRefused', {
      impact: 'The gateway answers 429 before a function is asked: websites miss content.',
      advice:
        'See in the access log which route is called most, and by the request log which workspace. Bound its keys with keyCallsPerMinute, or raise requestsPerSecond.',
      metric: shareOf(monitored.refusedRequests, requests, 10),
    });
    this.#add('RequestsSlow', {
      impact: 'One request in a hundred takes longer than 3 seconds: pages load slowly.',
      advice: 'See on the dashboard which route is slow, and whether the functions or the table are.',
      metric: amongMany(monitored.api.metric('Latency', { statistic: 'p99', period }), requests, 100),
      threshold: 3_000,
      periods: 3,
    });
    this.#add('AddressSilent', {
      impact: 'The public address gives no right answer, so clients cannot use the service.',
      advice:
        'Call it with curl. Read the error lines of the Canary function; look at the DNS record, the certificate, the distribution, and the AWS Health Dashboard. After a deployment: deploy the version before it.',
      metric: monitored.canary.metricErrors({ period }),
      periods: 2,
    });
    this.#watchRuns(
      'Canary',
      monitored.canary,
      'Nobody asks at the public address any more: nobody is told if it is silent.',
    );
  }

  /** The account's quota is shared with everything else that runs in it. */
  #watchCapacity({ settings }: Monitored): void {
    this.#add('FunctionsRefused', {
      impact: 'Lambda starts no more functions at once: some requests get 429 or 503.',
      advice:
        'See on the dashboard which function runs most often. Ask AWS for a higher quota of concurrent executions, or bound the keys with keyCallsPerMinute.',
      metric: shareOf(
        LambdaFunction.metricAllThrottles({ period }),
        LambdaFunction.metricAllInvocations({ period }),
        3,
      ),
    });
    if (settings.concurrencyQuota === undefined) return;
    this.#add('QuotaNearlyUsed', {
      impact: 'Four fifths of the concurrent executions of this account are in use: soon requests will get 429 or 503.',
      advice:
        'Ask AWS for a higher quota of concurrent executions, then deploy again, which reads it. See on the dashboard which function runs most often.',
      metric: LambdaFunction.metricAll('ClaimedAccountConcurrency', maximum),
      threshold: Math.ceil(settings.concurrencyQuota * 0.8),
    });
  }

  #watchTable(monitored: Monitored): void {
    for (const kind of ['Read', 'Write']) {
      this.#add(`Table${kind}sThrottled`, {
        impact: `The table refuses ${kind.toLowerCase()}s: requests are slow, and some get 503.`,
        advice:
          'A burst passes by itself within minutes. If it stays, one workspace needs more than one partition carries: find it in the request log by workspaceId.',
        metric: shareOf(
          tableMetric(monitored, `${kind}ThrottleEvents`),
          tableMetric(monitored, `Consumed${kind}CapacityUnits`),
          50,
        ),
        periods: 2,
      });
    }
  }

  /** Functions with function URLs, which the metrics of the API do not include. */
  #watchOwnAddresses(monitored: Monitored): void {
    const failures = [
      ...[...monitored.streamed].map(
        ([name, fn]) => [name, fn.metric('Url5xxCount', sum), fn.metric('UrlRequestCount', sum)] as const,
      ),
      ...monitored.web.map(({ name, errorLines, requestLines }) => [name, errorLines, requestLines] as const),
    ];
    for (const [name, failed, requests] of failures) {
      this.#add(`${name}Failing`, {
        impact: `Callers of ${name} get errors.`,
        advice: readErrors,
        metric: shareOf(failed, requests, 3),
      });
    }
    for (const [name, route] of monitored.modelRoutes) {
      const fn = monitored.functions.get(name);
      if (!fn) continue;
      const failures = routeMetric(monitored, 'AiReplyFailures', route);
      this.#add(`${name}RepliesFailing`, {
        impact: 'Visitors get no AI reply: the request is answered, and its stream ends with an error.',
        advice:
          'Search the log of the function for "A reply failed." Its failure and cause say whether the key, the quota or the server of the model is at fault.',
        metric: shareOf(failures, fn.metricInvocations({ period }), 3),
        threshold: 5,
      });
    }
  }

  #watchBackground({ name, work, fn, followsTable, errorLines }: Monitored['background'][number]): void {
    const runs = fn.metricInvocations({ period });
    this.#add(`${name}Failing`, {
      impact: `${name} breaks off, and the rest waits until it runs to its end again. Its work is: ${work}`,
      advice: readErrors,
      metric: shareOf(fn.metricErrors({ period }), runs, 3),
      threshold: 5,
    });
    this.#add(`${name}GaveUp`, {
      impact: `${name} has given something up, or has tried it for an hour. Its work is: ${work}`,
      advice:
        'Its error lines on the dashboard say what and why. Mails are parked: lib/infra/operate.md says how to send them. Everything else is tried again.',
      metric: shareOf(errorLines, runs, 1),
    });
    this.#watchRuns(name, fn, `${name} does not run any more. Its work is: ${work}`);
    if (!followsTable) return;
    this.#add(`${name}Late`, {
      impact: `${name} is more than 15 minutes behind with new work: ${work}`,
      advice: `${readErrors} See whether SES, receivers of webhooks or the table refuse calls.`,
      metric: fn.metric('IteratorAge', maximum),
      threshold: Duration.minutes(15).toMilliseconds(),
    });
  }

  #watchRuns(name: string, fn: IFunction, impact: string): void {
    this.#add(`${name}NotRunning`, {
      impact,
      advice:
        'See whether its rule of EventBridge is enabled and may invoke the function. After a first deployment the alarm ends by itself.',
      metric: fn.metricInvocations({ period }),
      periods: 3,
      isHeartbeat: true,
    });
  }

  /** SES reviews an account from 5 % bounces or 0.1 % complaints on, and stops its mail soon after. */
  #watchMail(): void {
    const reputation = (metricName: string) =>
      new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1) });
    this.#add('MailBouncing', {
      impact: 'Mails about form responses come back; above 5 % SES stops all mail of the account.',
      advice: 'Look up the addresses in the bounce messages and correct the recipients of the forms that name them.',
      metric: reputation('Reputation.BounceRate'),
      threshold: 0.04,
    });
    this.#add('MailUnwanted', {
      impact: 'Recipients report mails as spam; above 0.1 % SES stops all mail of the account.',
      advice: 'Ask the recipients of the forms whether they want these mails, and remove those who do not.',
      metric: reputation('Reputation.ComplaintRate'),
      threshold: 0.0008,
    });
  }

  #add(id: string, { impact, advice, metric, threshold = 1, periods = 1, isHeartbeat = false }: AlarmPlan): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${impact} ${advice}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isHeartbeat
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isHeartbeat ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (this.#topic) {
      const mail = new SnsAction(this.#topic);
      alarm.addAlarmAction(mail);
      alarm.addOkAction(mail);
    }
    this.all.push(alarm);
  }
}

/** Mails alarms to an address. */
class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, email: string) {
    super(scope, id, { enforceSSL: true });
    // `enforceSSL` adds a policy, which replaces the default policy that lets the account itself publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    this.addSubscription(new EmailSubscription(email));
    acknowledge(this, 'alarmTopic');
  }
}
