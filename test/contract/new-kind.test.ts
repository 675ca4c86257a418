import { expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { RecordId, Slug } from '#lib/domain/text/identifier.ts';
import { Localized } from '#lib/domain/text/localized.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';
import { declaredKinds } from '#lib/kinds/declared-kinds.ts';
import { createdAndUpdated, crud, defineKind } from '#lib/kinds/define-kind.ts';

// The one declaration. Everything below must be loaded after it.
const Course = z.strictObject({
  id: RecordId,
  slug: Slug,
  name: Localized,
  productIds: z._default(z.array(RecordId), () => []),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
Object.assign(declaredKinds, {
  course: defineKind({
    documentPath: ['courses'],
    schema: z.partial(Course, createdAndUpdated),
    unique: 'slug',
    localized: ['name'],
    references: [{ path: 'productIds[]', to: 'menuProduct', mayBeAbsent: true }],
    managed: {
      path: 'courses',
      noun: 'course',
      verbs: crud('menu:product:read', 'menu:product:manage'),
      idPrefix: 'course_',
      words: { record: 'A course as it is stored.', input: 'A course to store.' },
    },
  }),
});

const { findEndpoints, routeTable } = await import('#lib/endpoints.ts');
const { encodeRoutes } = await import('#lib/http/router.ts');
process.env['ROUTES'] = encodeRoutes(routeTable(await findEndpoints()));
const { openManageKitchen } = await import('#test/support/manage-kitchen.ts');
const { exported, importText } = await import('#test/support/document-text.ts');
const { openApiDocument } = await import('#lib/openapi/document.ts');
const { documentSchema } = await import('#lib/workspace/document-schema.ts');
const { management } = await import('#lib/client/manage.ts');

const lunch = { slug: 'lunch', name: { en: 'Lunch', ar: 'غداء' } };

it('is created, read, listed, searched, replaced, changed and removed', async () => {
  const { manage } = await openManageKitchen();
  const made = await manage('POST courses', lunch);
  expect(made).toMatchObject({
    status: 201,
    json: { ...lunch, id: expect.stringMatching(/^course_/), productIds: [], createdAt: made.json.updatedAt },
  });
  expect(Date.parse(made.json.createdAt)).toBeGreaterThan(0);
  expect(made.headers['location']).toBe(`/api/v1/manage/courses/${made.json.id}`);
  const { id } = made.json;
  expect(await manage(`GET courses/${id}`)).toMatchObject({ status: 200, json: made.json });
  await manage('PUT courses/brunch', { slug: 'brunch', name: { en: 'A brunch' } });
  const { json: page } = await manage('GET courses');
  expect(page.data.map((course: { slug: string }) => course.slug)).toEqual(['brunch', 'lunch']);
  const { json: found } = await manage(`GET courses?q=${encodeURIComponent('غداء')}`);
  expect(found.data).toHaveLength(1);
  const changed = await manage(`PATCH courses/${id}`, { name: { ar: null } });
  expect(changed).toMatchObject({ status: 200, json: { name: { en: 'Lunch' }, createdAt: made.json.createdAt } });
  expect(changed.json.updatedAt > made.json.updatedAt).toBe(true);
  const { json: events } = await manage(`GET audit-events?recordKind=courses&recordId=${id}`);
  expect(events.data.map((event: { action: string }) => event.action)).toEqual(['update', 'create']);
  expect((await manage(`DELETE courses/${id}`)).status).toBe(204);
  expect(await manage(`GET courses/${id}`)).toMatchObject({ status: 404, json: { message: 'Course not found.' } });
});

it('is checked by its schema, its unique member and its references, and needs its permissions', async () => {
  const { manage, secretOf } = await openManageKitchen();
  expect((await manage('POST courses', lunch)).status).toBe(201);
  expect(await manage('POST courses', { ...lunch, price: 1 })).toMatchObject({
    status: 400,
    json: {
      errors: expect.arrayContaining([
        expect.objectContaining({ path: 'price', code: 'unknown_field' }),
        expect.objectContaining({ path: 'slug', code: 'duplicate' }),
      ]),
    },
  });
  const { headers } = await manage('POST courses', { ...lunch, slug: 'x', productIds: ['prod_1', 'gone'] });
  expect(headers['x-missing-references']).toBe('productIds.1');
  const read = { key: secretOf('menu:product:read') };
  expect((await manage('GET courses', undefined, read)).status).toBe(200);
  expect(await manage('POST courses', lunch, read)).toMatchObject({
    status: 403,
    json: { message: 'This API key lacks the permission menu:product:manage.' },
  });
});

it('takes part in a bulk request, and is unknown under another path', async () => {
  const { manage } = await openManageKitchen();
  const changes = [
    { method: 'POST', kind: 'courses', record: lunch },
    { method: 'PATCH', kind: 'courses', id: 'none', record: {} },
  ];
  const { json } = await manage('POST changes', { changes });
  expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 404]);
  expect((await manage('GET course')).status).toBe(404);
  expect(await manage('DELETE courses')).toMatchObject({ status: 405 });
});

it('is exported, and imported again', async () => {
  const { manage, workspaceId } = await openManageKitchen();
  await manage('PUT courses/course_lunch', lunch);
  const document = await exported(workspaceId);
  expect(document.courses).toEqual([expect.objectContaining({ id: 'course_lunch', ...lunch })]);
  const [{ createdAt, updatedAt, ...course }] = document.courses;
  const edited = {
    ...document,
    courses: [
      { ...course, name: { en: 'Late lunch' } },
      { ...lunch, slug: 'new' },
    ],
  };
  const result = await importText(JSON.stringify(edited), 'json');
  expect(result.failures).toEqual([]);
  const { json: kept } = await manage('GET courses/course_lunch');
  expect(kept).toEqual({ ...course, name: { en: 'Late lunch' }, createdAt, updatedAt });
  const { json: added } = await manage('GET courses?q=new');
  expect(added.data).toMatchObject([{ slug: 'new', createdAt: added.data[0].updatedAt }]);
  expect(added.data[0].createdAt > createdAt).toBe(true);
  const broken = { ...document, courses: [{ ...document.courses[0], slug: 7 }] };
  expect((await importText(JSON.stringify(broken), 'json')).failures).toMatchObject([{ kind: 'course', path: 'slug' }]);
});

it('is described with its own paths, schemas and words', async () => {
  const { paths, components } = await openApiDocument();
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/v1/manage/courses', '/api/v1/manage/courses/{id}']));
  expect(components.schemas['CourseRecord']).toMatchObject({ description: 'A course as it is stored.' });
  expect(components.schemas['CourseInput']).toMatchObject({ required: ['slug', 'name'] });
  expect(documentSchema()).toMatchObject({ properties: { courses: { type: 'array' } } });
});

it('is called through the client', async () => {
  const sent: string[] = [];
  const transport = {
    send: async ({ method, path }: { method: string; path: string }) => {
      sent.push(`${method} ${path}`);
      return Response.json({ data: [], next: null });
    },
  };
  await management(transport as never, encodeURIComponent)
    .records('courses')
    .list();
  expect(sent).toEqual(['GET /api/v1/manage/courses']);
});
