import { replyLanguage } from '#lib/messaging/generate.ts';
import { ask } from '#test/support/demo-tools.ts';
import { load } from '#test/support/world.ts';
import { heldOutBakery } from './bakery.ts';
import { heldOutHardware } from './hardware.ts';
import { heldOutSpa } from './spa.ts';
import type { HeldOut, HeldOutBusiness } from './workspace.ts';

const businesses = [heldOutBakery, heldOutSpa, heldOutHardware];
const handsOver = /could not find|A member of our team|our team will|لم أجد|فريقنا/;

export interface HeldOutResult {
  readonly question: string;
  readonly reply: string;
  readonly verdict: 'right' | 'wrong' | 'handed over';
}

/** Asks every held-out question and judges the replies of each business. */
export async function askHeldOut(): Promise<Map<string, HeldOutResult[]>> {
  const results = new Map<string, HeldOutResult[]>();
  for (const business of businesses) {
    await load(business.document);
    const list: HeldOutResult[] = [];
    for (const question of business.questions) list.push(await judge(business, question));
    results.set(business.document.workspace.name, list);
  }
  return results;
}

async function judge({ document: { workspace } }: HeldOutBusiness, [text, ...says]: HeldOut): Promise<HeldOutResult> {
  const language = replyLanguage({ conversation: { language: null }, text, agent: {}, workspace });
  const { text: reply } = await ask({ workspaceId: workspace.id }, [{ role: 'user', text }], { language });
  const isHandOver = handsOver.test(reply);
  const isRight = says.length === 0 ? isHandOver : says.every((part) => saysIt(reply, part));
  return { question: text, reply, verdict: isRight ? 'right' : isHandOver ? 'handed over' : 'wrong' };
}

const saysIt = (reply: string, part: string): boolean => reply.toLowerCase().includes(part.toLowerCase());
