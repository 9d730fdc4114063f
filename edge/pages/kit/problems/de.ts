import type { ProblemTexts } from "./en.ts";

export const problems: ProblemTexts = {
  network:
    "Die Verbindung ist unterwegs abgerissen. Bitte kurz warten und noch einmal versuchen; nichts geschieht doppelt.",
  invalid_request: "Im Formular stimmt etwas nicht. Bitte prüfen und noch einmal senden.",
  malformed_json: "Die Seite hat etwas Unlesbares gesendet. Bitte neu laden.",
  body_too_large: "Das war zu viel auf einmal. Bitte weniger wählen.",
  unsupported_media_type: "Die Seite hat etwas in falscher Form gesendet. Bitte neu laden.",
  not_found: "Hier ist nichts mehr. Bitte zurück zur Veranstaltung gehen.",
  method_not_allowed: "Das geht hier nicht. Bitte die Seite neu laden.",
  idempotency_key_required: "Die Seite hat ihre Anfragenummer vergessen. Bitte neu laden.",
  idempotency_key_invalid: "Die Seite hat eine falsche Anfragenummer gebildet. Bitte neu laden.",
  idempotency_key_reused:
    "Dieselbe Anfrage wurde schon mit anderem Inhalt gesendet. Bitte neu laden.",
  idempotency_in_flight: "Wir arbeiten noch daran. Bitte einen Moment warten.",
  rate_limited: "Das war etwas schnell. Bitte kurz warten und noch einmal versuchen.",
  foreign_origin:
    "Diese Seite wurde von einer fremden Seite geöffnet. Bitte unter ihrer eigenen Adresse öffnen.",
  unknown_event: "Diese Veranstaltung kennen wir nicht. Bitte in der Liste nachsehen.",
  room_exists: "Diese Schlange gibt es schon.",
  room_closed: "Diese Schlange ist geschlossen. Der Verkauf ist vorbei.",
  key_required:
    "Diese Schlange braucht den Schlüssel Ihres Browsers. Bitte Speichern erlauben und neu laden.",
  challenge_required: "Bitte erst die kurze Prüfung machen.",
  challenge_failed: "Die Prüfung wurde nicht bestanden. Bitte noch einmal versuchen.",
  pass_required: "Diese Schlange braucht einen Einlasspass. Bitte über Ihre Einladung öffnen.",
  place_required: "Ihr Platz in der Schlange fehlt. Bitte die Schlange öffnen.",
  place_invalid: "Ihr Platz ließ sich nicht bestätigen. Bitte die Schlange öffnen.",
  place_gone: "Dieser Platz hat die Schlange verlassen. Sie können sich hinten neu anstellen.",
  place_conflict: "Dieser Browser hat zwei Plätze gezeigt. Bitte die Schlange öffnen.",
  moved: "Ihr Platz ist auf ein anderes Gerät umgezogen. Bitte dort weitermachen.",
  not_ready:
    "Ihr Platz bleibt Ihnen, während die Schlange wiederhergestellt wird. Bitte einfach warten.",
  exchange_invalid: "Dieser Code ist benutzt oder zu alt. Bitte zurück zur Schlange gehen.",
  action_not_possible: "Das ist gerade nicht möglich. Bitte den Zustand des Raums ansehen.",
  version_conflict: "Jemand anderes hat das inzwischen geändert. Bitte noch einmal ansehen.",
  rehearsal_refused: "Eine Probe ist hier gerade nicht möglich.",
  draw_not_ready:
    "Die Verlosung hat noch nicht stattgefunden. Bitte nach der Öffnung wiederkommen.",
  admission_required:
    "Der Shop öffnet, wenn Ihre Nummer aufgerufen wird. Bitte zur Schlange gehen.",
  admission_invalid: "Ihr Einlass ist abgelaufen. Bitte zurück zur Schlange gehen.",
  admission_closed: "Ihr Besuch im Shop ist beendet. Bitte zurück zur Schlange gehen.",
  organizer_required: "Bitte anmelden.",
  credential_invalid: "Dieser Schlüssel wurde nicht angenommen. Bitte prüfen.",
  forbidden: "Ihre Rolle erlaubt das nicht. Bitte eine verantwortliche Person fragen.",
  sale_not_open: "Der Verkauf ist noch nicht offen. Bitte zur Öffnung wiederkommen.",
  sale_closed: "Der Verkauf ist vorbei.",
  seats_unavailable:
    "Einige dieser Plätze wurden gerade genommen. Nichts ist reserviert; bitte andere wählen.",
  sold_out: "So etwas ist gerade nicht frei. Weniger Plätze oder einen anderen Preis versuchen.",
  hold_exists:
    "Sie haben schon andere Plätze reserviert. Bitte diese erst bezahlen oder zurückgeben.",
  hold_expired:
    "Die Zeit für diese Plätze ist abgelaufen. Nichts wurde abgebucht; bitte neu wählen.",
  hold_not_live:
    "Diese Plätze sind nicht mehr reserviert. Nichts wurde abgebucht; bitte neu wählen.",
  limit_exceeded: "Das ist mehr, als eine Person hier kaufen kann. Bitte weniger wählen.",
  unknown_seat: "Diesen Platz gibt es nicht. Bitte den Plan neu laden.",
  unknown_zone: "Diesen Bereich gibt es nicht. Bitte den Plan neu laden.",
  unknown_section: "Diesen Block gibt es nicht. Bitte den Plan neu laden.",
  unknown_addon: "Diesen Zusatz gibt es nicht mehr. Bitte weglassen.",
  addon_sold_out: "Dieser Zusatz ist ausverkauft. Bitte weglassen.",
  addon_stock_conflict: "Von diesem Zusatz gibt es jetzt weniger. Bitte weniger wählen.",
  conflict_retry: "Jemand war einen Moment schneller. Bitte noch einmal drücken.",
  event_in_use: "Diese Änderung würde etwas Verkauftes verlieren.",
  order_not_payable:
    "Diese Bestellung kann nicht mehr bezahlt werden. Es wurde nichts weiter abgebucht.",
  order_not_cancellable:
    "Diese Bestellung kann jetzt nicht abgebrochen werden. Bitte das Ende der Zahlung abwarten.",
  attempt_in_flight:
    "Eine Zahlung läuft. Bitte nicht noch einmal bezahlen; diese Seite zeigt, wie sie endet.",
  payment_failed:
    "Die Zahlung wurde abgelehnt, nichts wurde abgebucht. Bitte eine andere Karte versuchen.",
  reservation_lost_refunded:
    "Die Plätze gingen während der Zahlung verloren. Ihr Geld kommt von selbst zurück.",
  hold_too_short: "Es bleibt zu wenig Zeit, diese Plätze zu bezahlen. Bitte neu wählen.",
  refund_exceeds_captured:
    "Das ist mehr, als bezahlt wurde. Bitte einen kleineren Betrag eingeben.",
  refund_not_possible: "Das kann nicht erstattet werden.",
  ticket_not_transferable: "Dieses Ticket kann jetzt nicht weitergegeben werden.",
  code_invalid:
    "Der Code ist falsch, verbraucht oder abgelaufen. Sie können einen neuen anfordern.",
  account_required: "Bitte melden Sie sich zuerst an.",
  webhook_invalid: "Die Nachricht wurde nicht angenommen.",
  overloaded: "Gerade sind sehr viele hier. Bitte kurz warten und noch einmal versuchen.",
  unavailable: "Das geht gerade nicht. Bitte kurz warten und noch einmal versuchen.",
  outcome_unknown:
    "Wir wissen noch nicht, ob das geschehen ist. Bitte warten; noch einmal drücken tut nichts doppelt.",
  internal: "Bei uns ist etwas schiefgegangen. Bitte gleich noch einmal versuchen.",
};
