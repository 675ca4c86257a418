import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { LocalService } from '#test/support/processes.ts';
import { findChromium, Page } from './chromium.ts';

const program = findChromium();
if (program === undefined) {
  console.error('This needs Chromium: sudo apt-get install chromium, or CHROMIUM=/path/to/it.');
  process.exit(2);
}

const service = await LocalService.start();
const page = await Page.open(program, `${service.url}/_local/chat`);
try {
  await page.until("document.querySelectorAll('#conversation option').length > 0");
  console.log('ok  the page lists agents and conversations with the key of the demo');

  const english = await talk('agent_saffron', 'conv_huda', 'How much is the lamb kabsa?');
  assert.match(english.reply, /SAR/);
  assert.equal(english.direction, 'ltr');
  assert.ok(english.steps >= 3, `The reply came in ${english.steps} steps.`);
  console.log(`ok  a reply in English streams in, in ${english.steps} steps: ${english.reply}`);

  const arabic = await talk('agent_zafaran', 'conv_abdullah', 'كم سعر كبسة اللحم؟');
  assert.match(arabic.reply, /ريال/);
  assert.equal(arabic.direction, 'rtl');
  assert.ok(arabic.steps >= 3, `The reply came in ${arabic.steps} steps.`);
  console.log(`ok  a reply in Arabic streams in from right to left, in ${arabic.steps} steps: ${arabic.reply}`);

  const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const { asked } = await talk('agent_saffron', 'conv_huda', attack);
  assert.equal(asked, attack);
  assert.equal(await page.ask("document.querySelectorAll('#messages img, #messages script').length"), 0);
  assert.equal(await page.ask('document.title'), 'Chat');
  console.log('ok  markup in a message is shown as text');

  assert.deepEqual(page.complaints, []);
  await page.ask(
    "document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = 3' }))",
  );
  assert.equal(await page.ask('document.title'), 'Chat');
  assert.match(page.complaints.join(), /Content Security Policy/);
  console.log('ok  the page runs no other scripts, and nothing on it has failed');
} finally {
  if (process.argv[2]) await writeFile(process.argv[2], await page.picture());
  await page.close();
  await service.stop();
}

/** Writes as a customer and waits for the reply; a step is a change of what is shown of it. */
async function talk(agent: string, conversation: string, text: string) {
  await page.until("!document.querySelector('#form button').disabled");
  await page.ask(`(() => {
    const pick = (id, value) => {
      const select = document.getElementById(id);
      select.value = value;
      select.dispatchEvent(new Event('change'));
    };
    pick('agent', ${JSON.stringify(agent)});
    pick('conversation', ${JSON.stringify(conversation)});
    window.steps = 0;
    window.observer?.disconnect();
    window.observer = new MutationObserver(() => { window.steps += 1 });
    window.observer.observe(document.getElementById('messages'), { subtree: true, childList: true });
    document.getElementById('text').focus();
  })()`);
  await page.type(text);
  await page.pressEnter();
  await page.until("document.querySelector('#messages > :last-child')?.dataset.messageId");
  const last = "document.querySelector('#messages > :last-child')";
  return {
    reply: await page.ask(`${last}.textContent`),
    direction: await page.ask(`getComputedStyle(${last}).direction`),
    asked: await page.ask(`${last}.previousElementSibling.textContent`),
    steps: await page.ask('window.steps'),
  };
}
