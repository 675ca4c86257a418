import { Annotations, App } from 'aws-cdk-lib';
import { bundleFunctions, bundleGroups } from '#lib/bundle/bundle-functions.ts';
import { findEndpoints, findTriggers } from '#lib/endpoints.ts';
import { addChecks } from '#lib/infra/checks.ts';
import { discoverIssuer } from '#lib/infra/issuer.ts';
import { readContext, SettingFaults, warningsAbout } from '#lib/infra/read-settings.ts';
import { ServiceStack } from '#lib/infra/service-stack.ts';

const app = new App();
try {
  const settings = readContext(app.node.getAllContext(), process.env['CDK_DEFAULT_REGION']);
  addChecks(app);
  const bundling = settings.functions === 'grouped' ? bundleGroups() : bundleFunctions();
  const [endpoints, triggers, bundles] = await Promise.all([findEndpoints(), findTriggers(), bundling]);
  const issuer = settings.issuer && (await discoverIssuer(settings.issuer.url));
  const stack = new ServiceStack(app, { endpoints, triggers, bundles, issuer, settings });
  for (const warning of warningsAbout(settings)) Annotations.of(stack).addWarning(warning);
} catch (error) {
  if (!(error instanceof SettingFaults)) throw error;
  console.error(error.message);
  process.exit(1);
}
app.synth();
