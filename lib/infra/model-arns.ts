import { Aws } from 'aws-cdk-lib';

/** The geographies of Bedrock's cross-region inference profiles: `eu.vendor.model` runs `vendor.model` in any of them. */
const geography = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|me|af|in|global)\./;

/**
 * What a function has to be allowed to invoke: nothing for other engines than Bedrock; for `bedrock/<id>` the model in
 * this region or, where the id is that of an inference profile, the profile and the model in every region it leads to.
 */
export function modelArns(aiModel: string): string[] {
  if (!aiModel.startsWith('bedrock/')) return [];
  const id = aiModel.slice(aiModel.indexOf('/') + 1);
  const model = (region: string, modelId: string) =>
    `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${modelId}`;
  if (!geography.test(id)) return [model(Aws.REGION, id)];
  const profile = `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${id}`;
  return [profile, model('*', id.replace(geography, ''))];
}
