import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { Preflight } from 'cdk-preflight';

/**
 * Adds the checks that every synth passes: two rule packs of good practice, and one of what fails only at a deployment.
 * CDK's own validation of templates is switched on in cdk.json.
 */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  Preflight.apply(app);
}
