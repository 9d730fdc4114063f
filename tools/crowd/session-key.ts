// The crowd of a rehearsal and the crowd of a test carry the same kind of key.
export { makeProof, makeSessionKey, type SessionKey } from "../../core/rehearsals/session-key.ts";
