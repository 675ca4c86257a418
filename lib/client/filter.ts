/** A condition of a list: a value, or operators with their values. */
export type FilterValue = string | number | boolean;
export interface FilterOperators {
  readonly eq?: FilterValue;
  readonly ne?: FilterValue;
  readonly in?: string | readonly FilterValue[];
  readonly gt?: FilterValue;
  readonly gte?: FilterValue;
  readonly lt?: FilterValue;
  readonly lte?: FilterValue;
  readonly exists?: boolean;
  readonly contains?: string;
}
/** Values by field. */
export type EntryFilter = { readonly [field: string]: FilterValue | FilterOperators };
