import type { MoreTexts } from "./en.ts";

export const texts: MoreTexts = {
  wakeTitle: "Me prévenir",
  wakeIntro: "Quand votre numéro approche et quand il est appelé, cet appareil vous prévient.",
  wakeSwitch: "Me prévenir quand c’est mon tour",
  test: "Tester le son",
  canTitle: "Ce que cet appareil peut faire",
  soundYes: "Son : oui, tant que cette page est ouverte et que l’appareil n’est pas muet.",
  soundNo: "Son : seulement après avoir appuyé une fois sur « Tester le son » sur cette page.",
  vibrateYes: "Vibration : oui, tant que cette page est ouverte.",
  vibrateNo: "Vibration : pas sur cet appareil.",
  notifyYes: "Notification : autorisée.",
  notifyAsk: "Notification : pas encore demandée ; l’interrupteur la demande.",
  notifyNo: "Notification : bloquée dans les réglages de ce navigateur.",
  notifyNone: "Notification : pas dans ce navigateur.",
  pushYes: "Page fermée : oui, le navigateur est prévenu.",
  pushNo: "Page fermée : non. Laissez-la ouverte ou indiquez une adresse e-mail.",
  homeScreen:
    "Sur un iPhone, ajoutez d’abord cette page à l’écran d’accueil ; alors seulement elle peut vous prévenir.",
  email: "Ou un e-mail quand c’est bientôt votre tour",
  emailKept: "L’adresse sert une fois et est oubliée avec votre place.",
  save: "Enregistrer",
  saved: "Enregistré. Nous vous préviendrons.",
  failed: "Cela n’a pas fonctionné. Veuillez réessayer.",
  close: "Fermer",
  slow: "J’ai besoin de plus de temps",
  slowIntro:
    "L’appel vous attend alors plus longtemps, et la boutique ne s’ouvre que lorsque vous appuyez.",
  moveTitle: "Vers un autre appareil",
  moveIntro:
    "Ouvrez-y ce lien ou scannez le code. Il sert une fois et déplace votre place : cette page ne compte plus ensuite.",
  moveUntil: "Valable jusqu’à {time}.",
  copy: "Copier le lien",
  copied: "Copié.",
  qrAlt: "Code qui ouvre ce lien",
  hereTitle: "Prendre votre place ici ?",
  hereIntro:
    "La place passe dans ce navigateur et l’autre appareil ne l’a plus. Si ce navigateur a déjà une place dans cette file, elle est abandonnée.",
  hereYes: "La prendre ici",
  hereNo: "La laisser là-bas",
  placesTitle: "Places de ce navigateur",
  placeLine: "Votre numéro : {number}. Appelé : {calling}.",
  placeUnknown: "Votre place est gardée.",
  realTitle: "Comment savoir que c’est authentique ?",
  realAddress:
    "L’adresse officielle est {host}. Comparez-la lettre à lettre avec celle de votre navigateur.",
  realAsk:
    "Dans la file, personne ne demande de mot de passe, de carte ni de code reçu par message.",
  realSell: "Une place dans la file ne s’achète pas : qui en vend triche.",
  pushNear: [
    "Bientôt votre tour",
    "Votre numéro {n} arrive dans quelques minutes. Ouvrez la page.",
  ],
  pushCalled: ["Votre numéro est appelé", "Ouvrez la page maintenant. {n}"],
};
