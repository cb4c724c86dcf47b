/** Some columns of a row. A JSON column may have any type. */
export type RowGiven<Row> = {
  [Column in keyof Row]?: object extends Row[Column] ? unknown : Row[Column];
};

/**
 * Types a row that our own SQL read as the row of a node. Prisma's types say that it has all columns: the fields of
 * columns that are missing here load them themselves.
 */
export const asNode = <Row extends object>(
  _node: { readonly $inferType: Row },
  row: NoInfer<RowGiven<Row>>,
): Row => row as Row;

/** Types the value of a JSON column. It is not validated, because only our own statements write it. */
export const jsonOf = <Value>(stored: unknown): Value => stored as Value;
