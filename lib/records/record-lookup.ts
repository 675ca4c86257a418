import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { Issue, JsonObject } from '#lib/domain/input.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import type { Kind, UniqueKind } from '#lib/kinds/kinds.ts';

/**
 * Looks up the records for a check: the workspace as it will be after the import or the write. Callers may pass
 * malformed ids and names.
 */
export interface RecordLookup {
  readonly workspaceId: string | undefined;
  /**
   * The records come from an export. If only a later change of another record has made one invalid, the issue is a
   * warning (lib/spec/workspace-document.md section 2).
   */
  readonly isExport?: boolean;
  /** The stored record that a write changes. What the write leaves as it is may break a newer rule. */
  readonly stored?: JsonObject | undefined;
  /** When the stored record with this id was created, in a kind that has `createdAt`. */
  storedCreatedAt(kind: Kind, record: JsonObject): Promise<string | undefined>;
  /**
   * The write is a patch. A value of an entry that it leaves as it is stays, even if a later change of the database has
   * made it invalid (lib/spec/additions.md section 2, "Models").
   */
  readonly isPatch?: boolean;
  /** The languages of the workspace. */
  readonly languages: readonly string[] | undefined;
  /** Those of the stored workspace, before an import. */
  storedLanguages(): Promise<readonly string[]>;
  /** Whether a database is malformed, so that its entries cannot be checked. */
  isMalformed(modelId: string): boolean;
  has(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean>;
  hasEntry(modelId: string, id: string): Promise<boolean>;
  /** Whether a record may be absent because it was removed before the export. */
  mayBeRemovedSince?(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean>;
  /** Whether a conversation is of another kind than `main`. Only documents have conversations to check. */
  isSubConversation?(id: string): Promise<boolean>;
  /** The owner of an id that is not of the expected kind. */
  ownerOf(id: string): Promise<string | undefined>;
  model(id: string): Promise<Model | undefined>;
  /** Whether another record already uses a unique key. */
  isNameTaken(kind: UniqueKind, name: string, id: string): Promise<boolean>;
  /** Whether another key, in any workspace, has the same secret. Only documents have secrets. */
  isSecretTaken?(secretHash: string, id: string): Promise<boolean>;
}

/** A kind, with its rules beyond shape, languages and references. */
export interface CheckedKind extends KindDeclaration {
  /** Checks a parsed record, or the original value if it is malformed. */
  readonly check?: (record: JsonObject, lookup: RecordLookup) => Promise<RuleIssues>;
}

/** The rules of several kinds. */
export type Checks = Readonly<Partial<Record<Kind, NonNullable<CheckedKind['check']>>>>;

interface RuleIssues {
  readonly failures?: Issue[];
  readonly warnings?: Issue[];
}

/** A record that was not checked yet. */
export interface UncheckedRecord {
  readonly kind: Kind;
  readonly rules: CheckedKind;
  readonly record: unknown;
}
