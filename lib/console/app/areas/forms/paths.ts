/** The paths of the area's screens. */
export const formPaths = {
  forms: '/forms',
  deleted: '/forms/deleted',
  newForm: '/forms/new',
  form: (id: string) => `/forms/edit/${id}`,
  responses: (id: string) => `/forms/responses/${id}`,
};
