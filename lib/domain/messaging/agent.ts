import * as z from 'zod/mini';
import { orTrue, unique } from '../schema-rules.ts';
import { longerThan } from '../text/code-points.ts';
import { LanguageCode, RecordId } from '../text/identifier.ts';
import { Name } from '../text/name.ts';

/** The tools of an agent (lib/spec/decisions.md section 7; `hand_over`: lib/spec/additions.md section 3). */
export const AgentTool = z.enum([
  'search_menu',
  'get_product',
  'list_categories',
  'search_cms',
  'get_form',
  'hand_over',
]);
export type AgentTool = z.infer<typeof AgentTool>;

/** A longer text costs more than a reply with every call of the model. */
const instructionsCharactersMax = 20_000;
const replyTokensMax = 4_096;

/** An automatic assistant that answers messages (lib/spec/decisions.md section 7). By default it may use all tools. */
export const Agent = z.strictObject({
  id: RecordId,
  name: Name,
  enabled: orTrue(),
  model: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^(?:offline\/retrieval-1|bedrock\/\S+|openai\/\S+)$/,
          'Must be offline/retrieval-1, bedrock/ and a model id, or openai/ and a model.',
        ),
      ),
  ),
  instructions: z._default(
    z.string().check(
      z.refine((text) => !longerThan(text, instructionsCharactersMax), {
        error: 'Must be at most 20,000 characters.',
        params: { code: 'max_length' },
      }),
    ),
    '',
  ),
  language: z.optional(LanguageCode),
  maxTokens: z.optional(
    z.int().check(z.minimum(1, 'Must be at least 1.'), z.maximum(replyTokensMax, `Must be at most ${replyTokensMax}.`)),
  ),
  temperature: z.optional(z.number().check(z.minimum(0, 'Must be at least 0.'), z.maximum(2, 'Must be at most 2.'))),
  /** The model's text begins with reasoning whose opening tag is in the prompt. Nothing is shown before its end. */
  reasoning: z.optional(z.boolean()),
  tools: z.optional(z.array(AgentTool).check(unique())),
  /** The CMS databases that the agent may search. Absent means all, an empty list none. */
  databases: z.optional(z.array(RecordId).check(z.maxLength(100, 'Must be at most 100 databases.'), unique())),
});
export type Agent = z.infer<typeof Agent>;
