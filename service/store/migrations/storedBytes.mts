/** The tables whose `bytes` count for their `owner_id`. */
const COUNTED_TABLES = ['edits', 'uploads'];

const ADD_NEW = `INSERT INTO stored_bytes (owner_id, bytes) VALUES (NEW.owner_id, NEW.bytes)
	ON CONFLICT (owner_id) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;`;

const SUBTRACT_OLD =
	'UPDATE stored_bytes SET bytes = bytes - OLD.bytes WHERE owner_id = OLD.owner_id;';

/**
 * Statements with which the database itself keeps `stored_bytes`, the bytes of all files of each owner:
 * no statement that changes an edit or an upload can forget it, and both are always of the same
 * transaction. A sum over all rows would take longer with each of them.
 */
export const SQLITE_TRIGGERS = COUNTED_TABLES.flatMap((table) => [
	`CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} WHEN NEW.bytes <> 0 BEGIN ${ADD_NEW} END`,
	`CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} WHEN OLD.bytes <> 0 BEGIN ${SUBTRACT_OLD} END`,
	`CREATE TRIGGER ${table}_changed AFTER UPDATE OF bytes ON ${table} WHEN NEW.bytes <> OLD.bytes
		BEGIN ${SUBTRACT_OLD} ${ADD_NEW} END`,
]);

/** The same for PostgreSQL. */
export const POSTGRES_TRIGGERS = [
	`CREATE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF TG_OP <> 'INSERT' AND OLD.bytes <> 0 THEN ${SUBTRACT_OLD} END IF;
		IF TG_OP <> 'DELETE' AND NEW.bytes <> 0 THEN ${ADD_NEW} END IF;
		RETURN NULL;
	END $$`,
	...COUNTED_TABLES.map(
		(table) => `CREATE TRIGGER ${table}_bytes AFTER INSERT OR DELETE OR UPDATE OF bytes ON ${table}
			FOR EACH ROW EXECUTE FUNCTION count_stored_bytes()`,
	),
];
