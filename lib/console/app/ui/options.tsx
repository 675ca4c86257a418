export interface Option {
  readonly value: string | number;
  readonly label: string;
}

/** The choices of a select. */
export const Options = ({ of }: { readonly of: readonly Option[] }) =>
  of.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
