import type { QueueTexts } from "./en.ts";

export const texts: QueueTexts = {
  language: "Idioma",
  skip: "Ir al contenido",
  title: "Tu lugar en la fila",
  calledTitle: "¡Es tu turno!",

  nowCalling: "Número llamado",
  nobodyYet: "nadie todavía",
  opensIn: "Abre en",
  opensAt: "Apertura: {time}",
  hereTime: "{time} donde estás",
  drawingLabel: "Sorteo de los números",
  awaitingBeacon:
    "El sorteo espera la ronda {round} de una fuente pública de azar, prevista a las {time}. Nadie puede conocer su valor antes.",
  moving: {
    one: "La fila avanza, {n} persona por minuto",
    other: "La fila avanza, unas {n} personas por minuto",
  },
  standing: "Ahora mismo no entra nadie",
  held: "Por un momento no puede entrar nadie; sigue solo.",
  pausedLine: "La fila está en pausa",
  soldOutLine: "La venta ha terminado",
  closedLine: "La fila está cerrada",

  yourNumber: "Tu número",
  noNumberYet: "aún sin sortear",
  numberFollows: "Tu número llega enseguida",
  drawnAt: "Sorteo: {time}",
  inLineSince: "En la fila desde las {time}",
  stampCalled: "Tu turno",
  stampLeft: "Abandonada",
  stampEnded: "Terminada",
  stampMoved: "Trasladada",
  stampSoldOut: "Agotado",
  stampClosed: "Cerrada",

  aheadLabel: "Delante de ti",
  ahead: { one: "{n} persona", other: "{n} personas" },
  nobody: "nadie",
  waitLabel: "Tu espera",
  waitAbout: "unos {time}",
  waitRough: "estimación aproximada",
  waitSure: "buena estimación",
  waitUnknown: "aún no se puede decir",
  seatsLabel: "Entradas que quedan",
  seats: { one: "{n} entrada", other: "{n} entradas" },
  seatsHeld: { one: "y {n} en un carrito", other: "y {n} en carritos" },
  poolLabel: "Contigo en el sorteo",
  pool: { one: "{n} persona", other: "{n} personas" },
  soldOut: "agotado",
  progress: "Tu camino hacia delante",

  loading: ["Un momento", "Estamos preguntando por tu lugar en la fila."],
  early: [
    "Tienes un lugar",
    "Cuando abra la venta se llamará por orden de llegada. Puedes cerrar esta página y volver.",
  ],
  pool_: [
    "Estás en el sorteo",
    "Quien esté aquí antes de la apertura recibe un número por sorteo. Llegar antes no da ventaja, y otra pestaña tampoco. Puedes cerrar esta página y volver.",
  ],
  drawing: [
    "Se están sorteando los números",
    "Tarda un momento. Tu lugar está seguro; no tienes que hacer nada.",
  ],
  kept: ["Tu lugar está guardado", "Tu número llega en un momento. No tienes que hacer nada."],
  waiting: [
    "Estás en la fila",
    "Tu lugar es tuyo pase lo que pase con esta página. Te llamamos aquí cuando sea tu turno.",
  ],
  near: [
    "Ya casi estás",
    "Deja esta página abierta a partir de ahora, para estar aquí cuando salga tu número.",
  ],
  ready: ["Están llamando tu número", "Eres el siguiente en la puerta. Quédate en esta página."],
  going: ["Adelante, es tu turno", "La tienda se abre sola. Si no, pulsa el botón."],
  missed: [
    "Te llamamos, pero no entraste",
    "No pasa nada: conservas tu número y te volvemos a llamar en cuanto estés aquí. Deja esta página abierta.",
  ],
  paused: [
    "La fila está en pausa",
    "Por ahora no entra nadie. Conservas tu lugar; la fila seguirá sola.",
  ],
  baskets: [
    "Todas las entradas están en carritos",
    "Algunas pueden volver si no se compran. Mientras tanto conservas tu lugar.",
  ],
  sold_out: [
    "Agotado",
    "Se han vendido todas las entradas. Si vuelve alguna, esta página lo dirá y tu lugar contará.",
  ],
  closed: ["Esta fila está cerrada", "La venta ha terminado. Gracias por esperar con nosotros."],
  gone: [
    "Tu lugar ha terminado",
    "Se acabó tu tiempo en la tienda, o te llamamos varias veces y no entraste. Si compraste entradas, están seguras.",
  ],
  left: ["Has dejado la fila", "Has renunciado a tu número. Puedes volver a entrar al final."],
  moved: ["Tu lugar está en otro dispositivo", "Se trasladó allí; esta página ya no cuenta."],
  unknown: [
    "No conocemos este evento",
    "Quizá la dirección esté mal escrita o el evento haya pasado.",
  ],
  pass: [
    "Esta fila necesita un pase de entrada",
    "Ábrela con el enlace de tu invitación o desde tu cuenta.",
  ],
  challenge: [
    "Primero una breve comprobación",
    "Este evento pide a cada navegador una pequeña comprobación antes de entrar en la fila.",
  ],
  conflict: [
    "Dos lugares distintos",
    "Este navegador guarda también un lugar anterior que ya no puede demostrar. Si continúas, se renuncia al antiguo.",
  ],
  too_late: [
    "Agotado",
    "Se han vendido todas las entradas y nadie más puede entrar en la fila. Si vuelve alguna, podrás entrar aquí de nuevo.",
  ],
  insecure: [
    "Este navegador no puede guardar un lugar",
    "Abre la página en el navegador de tu teléfono, en su dirección https.",
  ],

  offline: "No tienes conexión. Tu lugar está guardado; la página sigue sola cuando vuelva la red.",
  server:
    "Ahora no se nos puede alcanzar. Tu lugar está guardado; la página lo sigue intentando sola.",
  restoring: "Se está restableciendo la fila. Tu lugar está guardado; solo espera.",
  busy: "Hay muchísima gente ahora mismo. Tu lugar está guardado; la página lo sigue intentando sola.",
  noStorage:
    "Este navegador no nos deja recordar tu lugar. Deja esta página abierta o usa otro navegador.",
  keptUntil: "Tu lugar está guardado hasta {time}, aunque cierres esta página.",
  heard: "Últimas noticias de la fila: {ago}.",
  real: "Estás en {host}. En la fila nunca pedimos contraseña ni tarjeta.",
  goOn: "Ir a la tienda",
  again: "Volver a entrar al final",
  replace: "Renunciar al antiguo y continuar",
  tryAgain: "Intentar de nuevo",
  home: "Todos los eventos",
  myOrder: "Tu pedido y tus entradas",
  howDrawn: "Cómo se sorteó tu número",
  leave: "Dejar la fila",
  leaveAsk: "¿Dejar la fila?",
  leaveWarn: "Renuncias a tu número para siempre. Para volver empezarías al final.",
  leaveYes: "Dejar",
  leaveNo: "Seguir en la fila",
};
