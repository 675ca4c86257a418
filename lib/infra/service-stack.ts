import { type App, Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Bundle } from '#lib/bundle.ts';
import { type EndpointFunction, fallbackFunction, routeTable } from '#lib/endpoints.ts';
import { HttpFront } from './http-front.ts';
import { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import { accessFor } from './table-access.ts';
import { WorkspaceTable } from './workspace-table.ts';

export interface ServiceStackProps {
  /** Every endpoint of the service; each becomes a function with its routes. */
  readonly endpoints: readonly EndpointFunction[];
  /** The code of every function. */
  readonly bundles: readonly Pick<Bundle, 'name' | 'folder'>[];
  readonly settings: Settings;
}

/** The whole service. No endpoint is named here: they come from their declarations. */
export class ServiceStack extends Stack {
  constructor(app: App, { endpoints, bundles, settings }: ServiceStackProps) {
    super(app, stackName(settings.stage), { description: 'Workspace-scoped REST service' });
    const table = new WorkspaceTable(this, 'Table', settings);
    const front = new HttpFront(this, 'Front', settings);
    const routes = JSON.stringify(routeTable(endpoints));
    for (const { name, endpoint } of endpoints) {
      const endpointFunction = new ServiceFunction(this, constructId(name), {
        description: endpoint.summary,
        code: folderOf(bundles, name),
        environment: { ROUTES: routes, TABLE_NAME: table.tableName },
        access: accessFor(endpoint.uses, table),
        ...endpoint.lambda,
        settings,
      });
      front.route(endpoint, endpointFunction);
    }
    const rest = new ServiceFunction(this, constructId(fallbackFunction), {
      description: 'Answer what no route takes.',
      code: folderOf(bundles, fallbackFunction),
      environment: { ROUTES: routes },
      settings,
    });
    front.routeRest(rest);
    new CfnOutput(this, 'ApiUrl', { value: front.url });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'Region', { value: Aws.REGION });
  }
}

const stackName = (stage: string): string => (stage === 'prod' ? 'WorkspaceApi' : `WorkspaceApi-${stage}`);

/** `cms-entry-get` is `CmsEntryGet` in the names of its resources. */
const constructId = (name: string): string => name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, first) => first.toUpperCase());

function folderOf(bundles: ServiceStackProps['bundles'], name: string): string {
  const bundle = bundles.find((candidate) => candidate.name === name);
  if (!bundle) throw new Error(`There is no bundle of functions/${name}.`);
  return bundle.folder;
}
