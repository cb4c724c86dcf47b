/** What of a row is given: some of its columns; what a column of JSON holds has a type of its own. */
export type RowGiven<Row> = {
  [Column in keyof Row]?: object extends Row[Column] ? unknown : Row[Column];
};

/**
 * A row that a statement of ours read, as a node takes it. Prisma's types say that a row has all columns: fields that
 * show one that is missing here read it themselves.
 */
export const asNode = <Row extends object>(
  _node: { readonly $inferType: Row },
  row: NoInfer<RowGiven<Row>>,
): Row => row as Row;

/** What a column of JSON holds. Only our own statements write it, so it is not checked again. */
export const jsonOf = <Value>(stored: unknown): Value => stored as Value;
