interface CheckOption {
  readonly value: string;
  readonly label: string;
}

interface Props {
  readonly className: 'row' | 'stack';
  readonly options: readonly CheckOption[];
  readonly chosen: readonly string[];
  readonly hasError: boolean;
  readonly toggle: (value: string) => void;
}

/** The options, and chosen values that are no longer offered, so that they can be removed. */
export const withChosen = (options: readonly CheckOption[], chosen: readonly string[]): readonly CheckOption[] => [
  ...options,
  ...chosen
    .filter((choice) => !options.some(({ value }) => value === choice))
    .map((value) => ({ value, label: value })),
];

/** A checkbox for each option. */
export const CheckOptions = ({ className, options, chosen, hasError, toggle }: Props) => (
  <div className={className}>
    {options.map(({ value, label }) => (
      <label key={value} className="check">
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          aria-invalid={hasError ? true : undefined}
          onChange={() => toggle(value)}
        />
        <span dir="auto">{label}</span>
      </label>
    ))}
  </div>
);
