import { z } from "zod";

/** `POST /v1/organizer/sessions` */
export const sessionRequestSchema = z.strictObject({ key: z.string().min(16).max(200) });
export type SessionReply = { token: string; expiresAt: string };
