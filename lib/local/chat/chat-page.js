// The page of GET /_local/chat. It knows only what the service itself answers, and shows every text as text.
const element = (id) => document.getElementById(id);
const [keyField, agents, conversations, messages, status, form, text] = [
  'key',
  'agent',
  'conversation',
  'messages',
  'status',
  'form',
  'text',
].map(element);
let workspace = { agents: [], conversations: [] };

async function ask(path, options = {}) {
  const headers = { 'x-api-key': keyField.value, ...options.headers };
  const response = await fetch(path, { ...options, headers });
  if (response.ok) return response;
  const { message } = await response.json().catch(() => ({}));
  throw new Error(message ?? `The service answered ${response.status}.`);
}

const post = (path, body) =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

function fill(select, options) {
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, label]) => new Option(label, value)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

function show(kind, content) {
  const bubble = document.createElement('p');
  bubble.className = `message ${kind}`;
  bubble.dir = 'auto';
  bubble.textContent = content;
  messages.append(bubble);
  bubble.scrollIntoView({ block: 'end' });
  return bubble;
}

function showConversation() {
  const chosen = workspace.conversations.find(({ id }) => id === conversations.value);
  messages.replaceChildren();
  for (const message of chosen?.messages ?? []) show(message.senderType, message.text);
}

async function open() {
  try {
    workspace = await (await ask('/_local/chat/workspace')).json();
    status.textContent = '';
  } catch (error) {
    workspace = { agents: [], conversations: [] };
    status.textContent = keyField.value === '' ? 'Give an API key that may take part in conversations.' : error.message;
  }
  fill(
    agents,
    workspace.agents.map(({ id, name }) => [id, name]),
  );
  fill(
    conversations,
    workspace.conversations.map(({ id, kind, customer }) => [id, [customer, kind, id].filter(Boolean).join(' · ')]),
  );
  showConversation();
}

/** The events of a stream: `data: <json>` and a blank line each, and comments. */
async function* eventsOf(response) {
  let waiting = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (waiting + piece).split('\n\n');
    waiting = frames.pop();
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice('data: '.length));
  }
}

async function streamReply(lastMessageId, conversationId) {
  const bubble = show('agent streaming', '');
  try {
    const { channelId } = workspace.conversations.find(({ id }) => id === conversationId) ?? {};
    // A conversation without a channel becomes one of this website.
    const channel = channelId ? {} : { channelIdentifier: 'localhost' };
    const body = { agentId: agents.value, conversationId, lastMessageId, ...channel };
    for await (const event of eventsOf(await post('/api/v1/connect/ai-stream', body))) {
      if (event.type === 'error') throw new Error(event.error);
      bubble.textContent = event.text;
      bubble.scrollIntoView({ block: 'end' });
      if (event.type === 'done') bubble.dataset.messageId = event.messageId;
    }
  } catch (error) {
    bubble.classList.add('failed');
    bubble.textContent = error.message;
  }
  bubble.classList.remove('streaming');
}

async function send() {
  const conversationId = conversations.value;
  const message = await (await post('/_local/chat/messages', { conversationId, text: text.value })).json();
  text.value = '';
  show('customer', message.text);
  await streamReply(message.id, conversationId);
  workspace = await (await ask('/_local/chat/workspace')).json();
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  if (button.disabled) return;
  button.disabled = true;
  status.textContent = '';
  try {
    await send();
  } catch (error) {
    status.textContent = error.message;
  }
  button.disabled = false;
  text.focus();
});
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
conversations.addEventListener('change', showConversation);
keyField.addEventListener('change', open);

keyField.value = decodeURIComponent(keyField.dataset.key);
open();
