import { App } from 'aws-cdk-lib';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { findEndpoints, findTriggers } from '#lib/endpoints.ts';
import { addChecks } from '#lib/infra/checks.ts';
import { discoverIssuer } from '#lib/infra/issuer.ts';
import { readSettings } from '#lib/infra/read-settings.ts';
import { ServiceStack } from '#lib/infra/service-stack.ts';

const app = new App();
const settings = readSettings(app.node.getAllContext());
if ('faults' in settings) {
  console.error(settings.faults.join('\n'));
  process.exit(1);
}
addChecks(app);
const [endpoints, triggers, bundles] = await Promise.all([findEndpoints(), findTriggers(), bundleFunctions()]);
const issuer = settings.oidcIssuer === undefined ? undefined : await discoverIssuer(settings.oidcIssuer);
new ServiceStack(app, { endpoints, triggers, bundles, issuer, settings });
app.synth();
