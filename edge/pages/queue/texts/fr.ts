import type { QueueTexts } from "./en.ts";

export const texts: QueueTexts = {
  language: "Langue",
  skip: "Aller au contenu",
  title: "Votre place dans la file",
  calledTitle: "C’est à vous !",

  nowCalling: "Numéro appelé",
  nobodyYet: "personne encore",
  opensIn: "Ouverture dans",
  opensAt: "Ouverture {time}",
  hereTime: "{time} chez vous",
  drawingLabel: "Tirage des numéros",
  awaitingBeacon:
    "Le tirage attend le tour {round} d’une source publique de hasard, prévu à {time}. Personne ne peut en connaître la valeur avant.",
  moving: {
    one: "La file avance, {n} personne par minute",
    other: "La file avance, environ {n} personnes par minute",
  },
  standing: "Personne n’entre en ce moment",
  held: "Personne ne peut entrer pour un instant ; cela reprend tout seul.",
  pausedLine: "La file est en pause",
  soldOutLine: "La vente est terminée",
  closedLine: "La file est fermée",

  yourNumber: "Votre numéro",
  noNumberYet: "pas encore tiré",
  numberFollows: "Votre numéro va suivre",
  drawnAt: "Tirage : {time}",
  inLineSince: "Dans la file depuis {time}",
  stampCalled: "À vous",
  stampLeft: "Quittée",
  stampEnded: "Terminée",
  stampMoved: "Déplacée",
  stampSoldOut: "Complet",
  stampClosed: "Fermée",

  aheadLabel: "Devant vous",
  ahead: { one: "{n} personne", other: "{n} personnes" },
  nobody: "personne",
  waitLabel: "Votre attente",
  waitAbout: "environ {time}",
  waitRough: "estimation approximative",
  waitSure: "bonne estimation",
  waitUnknown: "encore impossible à dire",
  seatsLabel: "Billets restants",
  seats: { one: "{n} billet", other: "{n} billets" },
  seatsHeld: { one: "et {n} dans un panier", other: "et {n} dans des paniers" },
  poolLabel: "Avec vous au tirage",
  pool: { one: "{n} personne", other: "{n} personnes" },
  soldOut: "épuisé",
  progress: "Votre chemin vers l’avant",

  loading: ["Un instant", "Nous demandons votre place dans la file."],
  early: [
    "Vous avez une place",
    "À l’ouverture, chacun est appelé dans l’ordre d’arrivée. Vous pouvez fermer cette page et revenir.",
  ],
  pool_: [
    "Vous participez au tirage",
    "Toutes les personnes présentes avant l’ouverture reçoivent un numéro au sort. Arriver plus tôt ne donne aucun avantage, un second onglet non plus. Vous pouvez fermer cette page et revenir.",
  ],
  drawing: [
    "Les numéros sont tirés au sort",
    "Cela prend un instant. Votre place est assurée ; vous n’avez rien à faire.",
  ],
  kept: [
    "Votre place est gardée",
    "Votre numéro arrive dans un instant. Vous n’avez rien à faire.",
  ],
  waiting: [
    "Vous êtes dans la file",
    "Votre place reste la vôtre, quoi qu’il arrive à cette page. Nous vous appelons ici quand c’est à vous.",
  ],
  near: [
    "Vous y êtes presque",
    "Gardez maintenant cette page ouverte, pour être là quand votre numéro sera appelé.",
  ],
  ready: ["Votre numéro est appelé", "Vous êtes à la porte. Restez sur cette page."],
  going: ["Entrez, c’est à vous", "La boutique s’ouvre toute seule. Sinon, appuyez sur le bouton."],
  missed: [
    "Vous avez été appelé, sans entrer",
    "Rien n’est perdu : vous gardez votre numéro et serez rappelé dès que vous serez là. Gardez cette page ouverte.",
  ],
  paused: [
    "La file est en pause",
    "Personne n’entre pour le moment. Vous gardez votre place ; la file reprendra toute seule.",
  ],
  baskets: [
    "Tous les billets sont dans des paniers",
    "Certains peuvent revenir s’ils ne sont pas achetés. Vous gardez votre place en attendant.",
  ],
  sold_out: [
    "Complet",
    "Tous les billets sont vendus. S’il en revient, cette page le dira et votre place comptera.",
  ],
  closed: ["Cette file est fermée", "La vente est terminée. Merci d’avoir attendu avec nous."],
  gone: [
    "Votre place a pris fin",
    "Votre temps dans la boutique est écoulé, ou vous avez été appelé plusieurs fois sans entrer. Vos billets achetés sont en sécurité.",
  ],
  left: [
    "Vous avez quitté la file",
    "Votre numéro est abandonné. Vous pouvez revenir à la fin de la file.",
  ],
  moved: [
    "Votre place est sur un autre appareil",
    "Elle y a été emportée ; cette page ne compte plus.",
  ],
  unknown: [
    "Nous ne connaissons pas cet événement",
    "L’adresse est peut-être mal écrite, ou l’événement est passé.",
  ],
  toAccount: "Se connecter et s’inscrire",
  pass: [
    "Cette file demande un laissez-passer",
    "Ouvrez-la par le lien de votre invitation ou depuis votre compte.",
  ],
  toCheck: "Faire la vérification",
  challenge: [
    "D’abord une courte vérification",
    "Cet événement demande à chaque navigateur une petite vérification avant d’entrer dans la file.",
  ],
  conflict: [
    "Deux places différentes",
    "Ce navigateur garde aussi une ancienne place qu’il ne peut plus prouver. Si vous continuez, l’ancienne est abandonnée.",
  ],
  too_late: [
    "Complet",
    "Tous les billets sont vendus et plus personne ne peut entrer dans la file. S’il en revient, vous pourrez la rejoindre ici.",
  ],
  insecure: [
    "Ce navigateur ne peut pas garder de place",
    "Ouvrez la page dans le navigateur de votre téléphone, à son adresse https.",
  ],

  offline:
    "Vous êtes hors ligne. Votre place est gardée ; la page reprendra toute seule au retour du réseau.",
  server:
    "Nous sommes injoignables pour le moment. Votre place est gardée ; la page réessaie toute seule.",
  restoring:
    "La file est en cours de rétablissement. Votre place est gardée ; patientez simplement.",
  busy: "Beaucoup de monde en ce moment. Votre place est gardée ; la page réessaie toute seule.",
  noStorage:
    "Ce navigateur ne nous laisse pas retenir votre place. Gardez cette page ouverte ou changez de navigateur.",
  keptUntil: "Votre place est gardée jusqu’à {time}, même si vous fermez cette page.",
  heard: "Dernières nouvelles de la file : {ago}.",
  real: "Vous êtes sur {host}. Dans la file, nous ne demandons jamais de mot de passe ni de carte.",
  goOn: "Aller à la boutique",
  again: "Revenir à la fin de la file",
  replace: "Abandonner l’ancienne et continuer",
  tryAgain: "Réessayer",
  home: "Tous les événements",
  myOrder: "Votre commande et vos billets",
  howDrawn: "Comment votre numéro a été tiré",
  leave: "Quitter la file",
  leaveAsk: "Quitter la file ?",
  leaveWarn: "Votre numéro est abandonné pour de bon. Pour revenir, vous recommenceriez à la fin.",
  leaveYes: "Quitter",
  leaveNo: "Rester dans la file",
  wake: "Me prévenir",
  takeAlong: "Vers un autre appareil",
  places: "Mes places",
  howReal: "Est-ce authentique ?",
  inApp:
    "Vous êtes dans le navigateur d’une autre application, qui oublie votre place à la fermeture. Emportez-la maintenant dans votre navigateur.",
  oddsGood: "assez pour vous, à ce stade",
  oddsEven: "cela pourrait être juste",
  oddsSlim: "il n’y en aura sans doute plus à votre tour",
  link: [
    "Ce lien ne marche plus",
    "Il a déjà servi ou il est trop ancien. Faites-en un nouveau sur l’appareil qui a la place, ou entrez ici dans la file.",
  ],
};
