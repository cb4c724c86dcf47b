import type { WebSocket } from 'ws';

/** The operations of one connection that have not ended, by their ids; `begun`: the one that began with the message that is being handled. */
type Operations = { ids: Set<string>; begun: string | null };

/** The ids of the operations of each WebSocket, from their beginning until nothing of them goes on. */
export type OperationIds = {
  /** Handles a message, with which an operation may begin. It ends when what `handle` returns is settled. */
  during(socket: WebSocket, handle: () => unknown): void;
  /** Begins an operation. @returns false if an earlier one with this id has not ended */
  begin(socket: WebSocket, id: string): boolean;
};

/**
 * The library forgets an operation when its client completes it, although it may still be in preparation. With the same id
 * again it would mistake one operation for the other: events would come twice, and one of the two would never end.
 */
export function createOperationIds(): OperationIds {
  const sockets = new WeakMap<WebSocket, Operations>();
  const operationsOf = (socket: WebSocket): Operations => {
    const operations = sockets.get(socket) ?? { ids: new Set(), begun: null };
    sockets.set(socket, operations);
    return operations;
  };
  return {
    during(socket, handle) {
      const operations = operationsOf(socket);
      operations.begun = null;
      const handled = handle();
      const { begun } = operations;
      if (begun === null) return;
      const end = () => operations.ids.delete(begun);
      void Promise.resolve(handled).then(end, end);
    },
    begin(socket, id) {
      const operations = operationsOf(socket);
      if (operations.ids.has(id)) return false;
      operations.ids.add(id);
      operations.begun = id;
      return true;
    },
  };
}
