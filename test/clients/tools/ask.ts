import axios from 'axios';
import createFetchClient from 'openapi-fetch';
import { attachmentsUpload, cmsEntriesList, menuCategoriesList } from './hey-api';
import { createClient as createHeyApiClient } from './hey-api/client';
import type { paths } from './openapi-fetch/schema';
import { getWorkspaceAPI } from './orval/client';
import { Api } from './swagger-typescript-api/client';

// Asks the service the same through each generated client, and prints what comes back. Nothing is configured but the
// address and the key.

declare const process: { readonly argv: readonly string[] };

interface Question {
  readonly modelId: string;
  readonly entries: {
    readonly filter: Record<string, number>;
    readonly sort: string;
    readonly fields: string;
    readonly locale: string;
    readonly fallback: string[];
  };
  readonly categories: { readonly ids: string[]; readonly sortBy: 'name'; readonly sortOrder: 'desc' };
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

const [, , url = '', key = '', question = ''] = process.argv;
const { modelId, entries, categories, files: sent } = JSON.parse(question) as Question;
const files = sent.map(({ name, text }) => new File([text], name, { type: 'text/plain' }));
const headers = { authorization: `Bearer ${key}` };
const menuQuery = { ...categories, apiKey: key };

async function askOpenapiFetch() {
  const client = createFetchClient<paths>({ baseUrl: url, headers });
  const listed = await client.GET('/api/public/cms/{modelId}/list', { params: { path: { modelId }, query: entries } });
  const found = await client.GET('/api/public/menu/categories', { params: { query: menuQuery } });
  const uploaded = await client.POST('/api/v1/connect/attachments', {
    // The types of openapi-typescript have a string in place of a file.
    body: { files: files as unknown as string[] },
    bodySerializer: (body) => {
      const form = new FormData();
      for (const file of body.files) form.append('files', file);
      return form;
    },
  });
  return { entries: listed.data, categories: found.data?.data, files: uploaded.data?.files };
}

async function askHeyApi() {
  const client = createHeyApiClient({ baseUrl: url, auth: key });
  const listed = await cmsEntriesList({ client, path: { modelId }, query: entries });
  const found = await menuCategoriesList({ client, query: menuQuery });
  const uploaded = await attachmentsUpload({ client, body: { files } });
  return { entries: listed.data, categories: found.data?.data, files: uploaded.data?.files };
}

/** Both clients have the same calls, and axios behind them. */
async function askWithAxios(api: Pick<ReturnType<typeof getWorkspaceAPI>, Calls> | Pick<Api<unknown>['api'], Calls>) {
  const listed = await api.cmsEntriesList(modelId, entries);
  const found = await api.menuCategoriesList(menuQuery);
  const uploaded = await api.attachmentsUpload({ files });
  return { entries: listed.data, categories: found.data.data, files: uploaded.data.files };
}
type Calls = 'cmsEntriesList' | 'menuCategoriesList' | 'attachmentsUpload';

async function askAll(): Promise<void> {
  const answers = {
    'openapi-fetch': await askOpenapiFetch(),
    'hey-api': await askHeyApi(),
    orval: await askWithAxios(getWorkspaceAPI(axios.create({ baseURL: url, headers }))),
    'swagger-typescript-api': await askWithAxios(new Api({ baseURL: url, headers }).api),
  };
  console.log(JSON.stringify(answers));
}

void askAll();
