import { setTimeout as pause } from 'node:timers/promises';
import type { ModelServer } from './model-server.ts';
import { ask } from './presets/chat.ts';
import { openWorkspace } from './workspace.ts';

/** The outcomes of many replies that a member took over at random moments. */
export interface TakeOvers {
  readonly replied: number;
  readonly silenced: number;
  /** Violations: a reply after an answered take-over, or an end that does not match the stored state. */
  readonly wrong: readonly string[];
}

const atOnce = 6;
/** In milliseconds. */
const replyTimeMin = 150;

/**
 * Requests replies, each in a separate conversation. Takes each conversation over before, during or at the end of its
 * reply.
 */
export async function takeOvers(model: Pick<ModelServer, 'answer'>, count: number): Promise<TakeOvers> {
  const room = await openWorkspace('talk');
  model.answer({ say: ['One ', 'two.'], pause: 8 });
  const wrong: string[] = [];
  // The moments are spread over the time that a reply takes on this machine.
  let replyTime = replyTimeMin;
  let replied = 0;
  let silenced = 0;
  // A busy machine may answer 503, which clients repeat.
  const replies = async (id: string, tries = 10): Promise<number> => {
    const { status, json } = await room.send('GET', `/${id}/messages`);
    if (status === 503 && tries > 0) return replies(id, tries - 1);
    return json.data.filter(({ senderType }: { senderType: string }) => senderType === 'agent').length;
  };

  async function takeOver(number: number): Promise<void> {
    const { json } = await room.open({ channelId: 'ch_1', customer: { externalId: `taken-${number}` } });
    const message = (await room.say(json.id, { senderType: 'customer', text: 'Hello.' })).json;
    const asking = ask(room.key, { conversationId: json.id, lastMessageId: message.id });
    const askedAt = performance.now();
    void asking.then(() => {
      replyTime = Math.max(replyTimeMin, performance.now() - askedAt);
    });
    await pause(Math.random() * replyTime);
    const { status } = await room.send('PATCH', `/${json.id}`, { assignee: { type: 'member', id: 'mem_1' } });
    const stored = await replies(json.id);
    const { end } = await asking;
    const after = await replies(json.id);
    if (status !== 200) wrong.push(`${json.id}: the take-over was ${status}`);
    if (after !== stored) wrong.push(`${json.id}: a reply was stored after the take-over`);
    if ((end.type === 'done') !== (after === 1)) wrong.push(`${json.id}: ${end.type} with ${after} replies`);
    if (end.type === 'done') replied++;
    else if (end.error === 'This conversation is handled by a member of the team.') silenced++;
    else wrong.push(`${json.id}: ${end.error}`);
  }

  for (let number = 0; number < count; number += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - number) }, (_, index) => takeOver(number + index)));
  }
  return { replied, silenced, wrong };
}
