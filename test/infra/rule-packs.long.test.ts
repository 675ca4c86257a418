import { describe, it } from '@jest/globals';
import { sampleChoices, serviceChoices } from './choices.ts';
import { expectClean } from './expect-clean.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { declared, reportsOf } from './synthesize.ts';

describe('The stack passes the rule packs and the validation of CDK, with a reason for each acknowledged finding', () => {
  it.each(Object.entries(sampleChoices))('with one function of each kind, and the settings %s', async (_, choices) => {
    expectClean(await reportsOf(sampleDeclarations, choices));
  });

  it.each(Object.entries(serviceChoices))('with all functions, and the settings %s', async (_, choices) => {
    expectClean(await reportsOf(declared, choices));
  });
});
