/** The functions of a namespace whose first parameter is a `First`, without that parameter. */
type BoundNamespace<First, Namespace> = {
  [Name in keyof Namespace as Namespace[Name] extends (first: First, ...rest: never[]) => unknown
    ? Name
    : never]: Namespace[Name] extends (first: First, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** A store whose functions are bound to their first argument: a user's transaction, or the database. */
export type Bound<First, Store> = {
  readonly [Name in keyof Store]: BoundNamespace<First, Store[Name]>;
};

type Functions = Record<string, unknown>;

/** Returns a function that binds a store to a first argument. Each namespace is bound on first use. */
export function binderOf<First>() {
  return <Store extends Record<string, object>>(store: Store) => {
    class BoundStore {
      readonly first: First;
      constructor(first: First) {
        this.first = first;
      }
    }
    for (const [name, namespace] of Object.entries(store)) {
      Object.defineProperty(BoundStore.prototype, name, {
        get(this: BoundStore) {
          const bound = bindAll(this.first, namespace as Functions);
          Object.defineProperty(this, name, { value: bound });
          return bound;
        },
      });
    }
    return (first: First) => new BoundStore(first) as unknown as Bound<First, Store>;
  };
}

function bindAll(first: unknown, namespace: Functions): Functions {
  return Object.fromEntries(
    Object.entries(namespace).map(([name, value]) => [
      name,
      typeof value === 'function' ? value.bind(null, first) : value,
    ]),
  );
}
