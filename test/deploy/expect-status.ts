/** @returns the JSON of an answer, if there is any @throws when the status differs */
export async function expectStatus(status: number, answering: Promise<Response>): Promise<unknown> {
  const answer = await answering;
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`An answer is ${answer.status}, and not ${status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
