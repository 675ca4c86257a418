import * as z from 'zod/mini';

/** The position of a page in its list (lib/spec/interface.md section 4.3). */
export const Pagination = z.strictObject({
  page: z.number(),
  limit: z.number(),
  total: z.number(),
  totalPages: z.number(),
  hasMore: z.boolean(),
});
export type Pagination = z.infer<typeof Pagination>;

/** A page past the end is empty (lib/spec/decisions.md section 4). */
export const paginationOf = (page: number, limit: number, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  hasMore: page * limit < total,
});
